import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Makes the clients of three generators from an OpenAPI document: `node generate-clients.ts <document> <folder>`. The generators
 * need the compiler of TypeScript 5 as a library, which that of this project is not any more: one of them brings it, and the
 * others, which leave it to their project, are given the same.
 */
const [, , document = '', folder = ''] = process.argv;
const parentURL = import.meta.resolve('oazapfts');
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL } : context),
});

const { writeFile } = await import('node:fs/promises');
const { generateSource } = await import('oazapfts');
await writeFile(`${folder}/oazapfts.ts`, await generateSource(document));

const { default: openapiTypescript, astToString } = await import('openapi-typescript');
await writeFile(`${folder}/openapi-typescript.ts`, astToString(await openapiTypescript(pathToFileURL(document))));

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document,
  output: { path: `${folder}/hey-api`, module: { extension: '.ts' } },
  logs: { level: 'silent' },
});
