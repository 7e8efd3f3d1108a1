import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient, UpdateFunctionCodeCommand } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { environment } from '../../shared/runtime/outside/environment.ts';
import { idOf, stackName } from '../../shared/runtime/stage/names.ts';
import { postJson } from '../support/server.ts';

/**
 * Recreates the minutes in which a release that changes rows is deployed. The function that creates charges belongs to
 * a release with a second charge shape, and all other functions belong to this one. They answer 503 or postpone the
 * work, and finish it once they can read the rows. Arguments: a folder, the API's URL and the URL of the phone's page.
 */
const [folder = '', api = '', phoneUrl = ''] = process.argv.slice(2);
const STACK = stackName(environment('STAGE'));
const FUNCTION = 'transaction/initialize';
const NEXT = resolve(folder, 'next-release');
const STARTED_MS = Date.now();
const Created = z.object({ data: z.object({ reference: z.string(), access_code: z.string() }) });

copyWithAnotherShape();
await giveCode(NEXT);
const { reference, access_code } = await openCharge();
const verify = `/api/v1/transaction/verify/${reference}`;
for (const path of [verify, `/checkout/${access_code}`]) {
  const { status, headers } = await ask(path);
  assert.deepEqual([path, status, headers.get('retry-after')], [path, 503, '60']);
}
await pay(reference);
await until('a worker has met the charge', async () => /job_failed.*A row TRANSACTION has shape 2/.test(workLog()));
await giveCode('.');
await takeOutShapes();
await until('it is paid', async () => /"status":"success"/.test(await (await ask(verify)).text()));
console.log(
  'A charge of the next release: 503 within 60 s for verify and page; its payment waited and counted in the end',
);

/** Copies the project and adds a second charge shape with the same content. */
function copyWithAnotherShape(): void {
  rmSync(NEXT, { recursive: true, force: true });
  for (const part of ['functions', 'infra', 'shared', 'package.json', 'tsconfig.json'])
    cpSync(part, join(NEXT, part), { recursive: true, filter: (source) => !source.includes('node_modules') });
  symlinkSync(resolve('node_modules'), join(NEXT, 'node_modules'));
  const file = join(NEXT, 'shared/runtime/table/row-shape.ts');
  const text = readFileSync(file, 'utf8');
  const step = `{ pk: 'TRANSACTION#', sk: 'TRANSACTION', oldest: 1, steps: [{ reads: [], change: () => ({}) }] },`;
  const changed = text.replace(/(?<=rowShapes: readonly RowShape\[\] = \[)/, step);
  assert.notEqual(changed, text, 'row-shape.ts has no list of shapes any more');
  writeFileSync(file, changed);
}

async function giveCode(project: string): Promise<void> {
  const out = resolve(folder, 'one-bundle');
  const script = `
    import { manifest } from './functions/manifest.ts';
    import { bundle } from './infra/cdk/bundle.ts';
    bundle({ '${FUNCTION}': manifest['${FUNCTION}'] }, '${out}');`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: project, stdio: 'inherit' });
  const zip = join(out, 'code.zip');
  rmSync(zip, { force: true });
  execFileSync('python3', ['-m', 'zipfile', '-c', zip, 'index.js'], { cwd: join(out, FUNCTION) });
  await new LambdaClient().send(
    new UpdateFunctionCodeCommand({ FunctionName: `${STACK}-${idOf(FUNCTION)}`, ZipFile: readFileSync(zip) }),
  );
}

async function openCharge(): Promise<z.infer<typeof Created>['data']> {
  const response = await ask('/api/v1/transaction/initialize', { amount: 1 });
  assert.equal(response.status, 200);
  return Created.parse(await response.json()).data;
}

function ask(path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${environment('MOMO_LIVE_KEY')}`, 'content-type': 'application/json' };
  return fetch(`${api}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
}

async function pay(reference: string): Promise<void> {
  const paid = { reference, name: 'Kofi Mensah', amount: 1, simNumber: 1 };
  const { ok, status } = await postJson(`${phoneUrl}/pay`, paid);
  assert.ok(ok, `the phone answered ${status}`);
}

function workLog(): string {
  const from = ['--log-group-name', `/aws/lambda/${STACK}/work`, '--start-time', String(STARTED_MS)];
  const asked = ['logs', 'filter-log-events', ...from, '--query', 'events[].message', '--output', 'text'];
  return execFileSync('aws', asked, { encoding: 'utf8' });
}

/** Converts the rows back to this release's shape for the following steps. */
async function takeOutShapes(): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const FilterExpression = 'attribute_exists(shape)';
  for await (const { Items = [] } of paginateScan({ client }, { TableName: STACK, FilterExpression }))
    for (const { pk, sk } of Items)
      await client.send(new UpdateCommand({ TableName: STACK, Key: { pk, sk }, UpdateExpression: 'REMOVE shape' }));
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await isSo()) return;
    await sleep(2_000);
  }
  throw new Error(`After five minutes this has not happened: ${what}`);
}
