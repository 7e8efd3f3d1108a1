import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { manifest } from '../../functions/manifest.ts';
import { bundle, bundling, forLambda } from '../../infra/cdk/bundle.ts';
import type { Figure } from './figure.ts';

export type FunctionName = keyof typeof manifest;

export interface Bundles {
  readonly functions: readonly { readonly name: FunctionName; readonly file: string; readonly bytes: number }[];
  readonly baseline: { readonly file: string; readonly bytes: number };
  /** A function that does nothing but put an item with the SDK. */
  readonly bare: string;
  remove(): void;
}

/** The minimum for a function with a table: the SDK's document client. */
const BASELINE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
  export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
`;

const BARE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: process.env.DYNAMODB_ENDPOINT }));
  export const handler = async () => {
    await client.send(new PutCommand({ TableName: process.env.TABLE_NAME, Item: { pk: 'BARE', sk: 'BARE' } }));
    return { statusCode: 200 };
  };
`;

/**
 * Bundles every deployed function and the baseline. The folder is outside the repository, because the repository's
 * packages would hide a missing dependency.
 */
export function makeBundles(): Bundles {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-bundles-'));
  const names = Object.keys(manifest) as FunctionName[];
  bundle(manifest, folder);
  const [baseline, bare] = [join(folder, 'baseline.js'), join(folder, 'bare.js')];
  buildSync({ ...bundling, stdin: { contents: BASELINE, resolveDir: bundling.absWorkingDir }, outfile: baseline });
  buildSync({
    ...bundling,
    ...forLambda,
    stdin: { contents: BARE, resolveDir: bundling.absWorkingDir },
    outfile: bare,
  });
  return {
    functions: names.map((name) => {
      const file = join(folder, name, 'index.js');
      return { name, file, bytes: statSync(file).size };
    }),
    baseline: { file: baseline, bytes: statSync(baseline).size },
    bare,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Excludes the operations function, which only the operator uses and which has many AWS clients. */
export function oftenCalled({ functions }: Bundles): Bundles['functions'] {
  return functions.filter(({ name }) => manifest[name].on !== 'call');
}

/** P7: size of the largest function bundle ÷ size of the baseline. */
export function bundleBytes(bundles: Bundles): Figure {
  const { baseline } = bundles;
  const bySize = oftenCalled(bundles).toSorted((a, b) => b.bytes - a.bytes);
  const [largest, smallest] = [bySize[0], bySize.at(-1)];
  if (!largest || !smallest) throw new Error('There are no functions');
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;
  return {
    id: 'P7',
    what: `size of the largest bundle (${largest.name}) ÷ baseline`,
    value: largest.bytes / baseline.bytes,
    unit: '×',
    gate: 1.6,
    aim: 1.1,
    detail: `${kb(largest.bytes)} ÷ ${kb(baseline.bytes)}; the smallest, ${smallest.name}, ${kb(smallest.bytes)}`,
  };
}
