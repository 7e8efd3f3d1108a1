import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/dynamodb.ts';
import { Journal } from '../../../infra/local/journal.ts';
import { serveMemory } from '../../../infra/local/serve-memory.ts';
import { databaseOfEndpoint, everyRecord, everyRow } from '../../support/endpoint-contents.ts';
import { PATIENCE } from '../../support/http.ts';

describe('the journal file', () => {
  test('returns all appended entries', async () => {
    const file = newFile();
    const { journal, entries } = await Journal.open<{ n: number }>(file);
    expect(entries).toEqual([]);
    journal.compact([{ n: 0 }]);
    for (const n of [1, 2, 3]) journal.append({ n });
    await journal.saved();
    journal.append({ n: 4 });
    await journal.close();
    expect(await entriesOf(file)).toEqual([0, 1, 2, 3, 4]);
    const again = await Journal.open<{ n: number }>(file);
    again.journal.append({ n: 5 });
    again.journal.compact([{ n: 15 }]);
    again.journal.append({ n: 6 });
    await again.journal.close();
    expect(await entriesOf(file)).toEqual([15, 6]);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
  });

  test('loses only an incomplete last line', async () => {
    const whole = await fileWith([1, 2, 3]);
    const bytes = readFileSync(whole);
    const ends = [...bytes.keys()].filter((n) => bytes[n] === 10).map((n) => n + 1);
    for (let length = 0; length <= bytes.length; length++) {
      const file = newFile();
      writeFileSync(file, bytes.subarray(0, length));
      const before = ends.filter((end) => end <= length).length;
      expect(await entriesOf(file), `${length} bytes`).toEqual([1, 2, 3].slice(0, before));
      const { journal } = await Journal.open<{ n: number }>(file);
      journal.append({ n: 9 });
      await journal.close();
      expect(await entriesOf(file), `${length} bytes`).toEqual([...[1, 2, 3].slice(0, before), 9]);
    }
  });

  test('is rejected if it was changed', async () => {
    const whole = await fileWith([1, 2, 3]);
    const bytes = readFileSync(whole);
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expectRefused(changed, `byte ${at}`);
    }
    const [one = '', two = '', three = ''] = bytes.toString().split(/(?<=\n)/);
    for (const lines of [
      [two, three],
      [one, three],
      [one, one, two, three],
      [two, one, three],
      [one, '\n', two],
    ]) {
      await expectRefused(Buffer.from(lines.join('')), JSON.stringify(lines));
    }
  });

  test('confirms no writes after a disk failure', async () => {
    const { journal } = await Journal.open<{ n: number }>(join(newFolder(), 'gone', 'table'));
    journal.append({ n: 1 });
    await expect(journal.saved()).rejects.toMatchObject({ code: 'ENOENT' });
    journal.append({ n: 2 });
    await expect(journal.saved()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('ignores an unfinished compaction', async () => {
    const file = await fileWith([1, 2]);
    copyFileSync(file, `${file}.part`);
    appendFileSync(`${file}.part`, 'half');
    expect(await entriesOf(file)).toEqual([1, 2]);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  async function expectRefused(bytes: Buffer, what: string) {
    const file = newFile();
    writeFileSync(file, bytes);
    await expect(Journal.open(file), what).rejects.toThrow(/is damaged in line \d.*LOCAL_DIR=/);
    expect(readFileSync(file), what).toEqual(bytes);
  }
});

describe('a table on disk', () => {
  test('has the same rows and stream after a restart', async () => {
    const folder = newFolder();
    const first = await serveMemory({ keepIn: folder, compactBytes: 2_000 });
    await createTable(first.endpoint, 'kept');
    for (let n = 0; n < 40; n++) await pay(first.endpoint, n % 7, n);
    const [rows, records] = [await everyRow(first.endpoint, 'kept'), await everyRecord(first.endpoint, 'kept')];
    await first.stop();
    const second = await serveMemory({ keepIn: folder, compactBytes: 2_000 });
    expect(await everyRow(second.endpoint, 'kept')).toEqual(rows);
    expect(await everyRecord(second.endpoint, 'kept')).toEqual(records);
    await pay(second.endpoint, 1, 40);
    expect((await everyRecord(second.endpoint, 'kept')).length).toBe(records.length + 2);
    await second.stop();
  });

  test('contains every confirmed write after a crash', async () => {
    const folder = newFolder();
    const confirmed = Array.from({ length: LANES }, () => 0);
    for (let kill = 0; kill < KILLS; kill++) {
      const { endpoint, child, ended } = await startServer(folder);
      await createTable(endpoint, 'kept');
      const client = databaseOfEndpoint(endpoint);
      for (const [lane, atLeast] of confirmed.entries()) {
        const [paid, counted] = await Promise.all(['paid', 'counted'].map((sk) => numberOf(client, `${lane}`, sk)));
        expect(paid, `kill ${kill}`).toBe(counted);
        // The pending transaction may have been stored.
        expect([atLeast, atLeast + 1], `kill ${kill}`).toContain(paid);
        confirmed[lane] = paid ?? 0;
      }
      const numbers = (await everyRecord(endpoint, 'kept')).map(({ sequence }) => Number(sequence));
      expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
      const before = [...confirmed];
      let isKilled = false;
      const lanes = confirmed.map(async (_, lane) => {
        while (!isKilled) {
          try {
            await pay(endpoint, lane, (confirmed[lane] ?? 0) + 1);
            confirmed[lane] = (confirmed[lane] ?? 0) + 1;
          } catch {
            return;
          }
        }
      });
      // Kill at different times after the first writes, up to several compactions later.
      await vi.waitFor(() => expect(confirmed.every((n, lane) => n > (before[lane] ?? 0))).toBe(true), PATIENCE);
      await sleep(20 + 37 * ((kill * 7) % KILLS));
      child.kill('SIGKILL');
      isKilled = true;
      await ended;
      await Promise.all(lanes);
    }
    expect(Math.min(...confirmed)).toBeGreaterThanOrEqual(KILLS);
  });

  test('contains only complete transactions wherever the file is cut off', async () => {
    const folder = newFolder();
    const first = await serveMemory({ keepIn: folder });
    await createTable(first.endpoint, 'kept');
    for (let n = 1; n <= 2; n++) await pay(first.endpoint, 0, n);
    await first.stop();
    const [name = ''] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name));
    const seen = new Set<unknown>();
    for (let length = bytes.length; bytes.subarray(0, length).includes('"records":[{'); length -= 40) {
      const keepIn = newFolder();
      writeFileSync(join(keepIn, name), bytes.subarray(0, length));
      const torn = await serveMemory({ keepIn });
      const rows = (await everyRow(torn.endpoint, 'kept')) ?? [];
      const paid = rows.map(({ n }) => n?.N);
      expect([[], ['1', '1'], ['2', '2']], `${length} bytes`).toContainEqual(paid);
      seen.add(paid[0]);
      await torn.stop();
    }
    expect([...seen]).toEqual(['2', '1', undefined]);
  });

  test('is rejected if its file is damaged', async () => {
    const folder = newFolder();
    const first = await serveMemory({ keepIn: folder });
    await createTable(first.endpoint, 'kept');
    for (let n = 0; n < 3; n++) await pay(first.endpoint, 1, n);
    await first.stop();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"N":"1"', '"N":"9"'));
    await expect(serveMemory({ keepIn: folder })).rejects.toThrow(`${file} is damaged in line`);
  });
});

const LANES = 4;
const KILLS = 8;

/** Sets two rows to the same number in one transaction. */
async function pay(endpoint: string, lane: number, to: number): Promise<void> {
  const TransactItems = ['paid', 'counted'].map((sk) => ({
    Put: { TableName: 'kept', Item: { pk: { S: `${lane}` }, sk: { S: sk }, n: { N: String(to) } } },
  }));
  await databaseOfEndpoint(endpoint).send(new TransactWriteItemsCommand({ TransactItems }));
}

async function numberOf(client: DynamoDBClient, pk: string, sk: string): Promise<number> {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'kept', Key: { pk: { S: pk }, sk: { S: sk } } }));
  return Number(Item?.n?.N ?? 0);
}

/** Starts a server process that compacts its file after every few writes. */
async function startServer(folder: string) {
  const start = `import { serveMemory } from './infra/local/serve-memory.ts';
    const { endpoint } = await serveMemory({ keepIn: ${JSON.stringify(folder)}, compactBytes: 3_000 });
    console.log(endpoint);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [''])]);
  return { endpoint: String(line).trim(), child, ended };
}

async function fileWith(numbers: readonly number[]): Promise<string> {
  const file = newFile();
  const { journal } = await Journal.open<{ n: number }>(file);
  for (const n of numbers) journal.append({ n });
  await journal.close();
  return file;
}

async function entriesOf(file: string): Promise<number[]> {
  const { journal, entries } = await Journal.open<{ n: number }>(file);
  await journal.close();
  return entries.map(({ n }) => n);
}

const newFolder = () => mkdtempSync(join(inject('folder'), 'journal-'));
const newFile = () => join(newFolder(), 'table.jsonl');
