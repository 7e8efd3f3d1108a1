// Declares the parts that we use of packages that are installed only for this command.
declare module 'oazapfts' {
  export function generateSource(document: string): Promise<string>;
}
declare module 'openapi-typescript' {
  export default function openapiTypescript(document: URL): Promise<object>;
  export function astToString(types: object): string;
}
declare module '@hey-api/openapi-ts' {
  export function createClient(options: object): Promise<unknown>;
}
