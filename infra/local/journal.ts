import { type FileHandle, open, readFile, rename, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sha256 } from '../../shared/runtime/values/sha256.ts';
import { diskFull, hasCode } from './write-whole.ts';

const CHECK_CHARACTERS = 16;

/**
 * An append-only file with one entry per line, flushed to disk before a write is confirmed. Each line's checksum covers
 * all earlier lines and detects every change or loss. `compact` replaces the file. Does not use `@alcalzone/jsonl-db`,
 * which confirms writes before they are on disk and could lose part of a transaction.
 */
export class Journal<Entry extends object> {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #check: string;
  #lines: string[] = [];
  /** True if the pending lines will replace the whole file. */
  #isWhole = false;
  #saving: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #characters = { atFirst: 0, since: 0 };

  private constructor(file: string, check: string, characters: number) {
    this.#file = file;
    this.#check = check;
    this.#characters.atFirst = characters;
  }

  /**
   * Opens or creates a file. Cuts off an incomplete last line, which was never confirmed.
   * @throws an Error with instructions if any other line is damaged.
   */
  static async open<Entry extends object>(file: string) {
    await rm(partOf(file), { force: true });
    const bytes = await readFile(file).catch((error) => {
      if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    });
    const end = bytes.lastIndexOf('\n') + 1;
    const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
    const entries: Entry[] = [];
    let check = '';
    for (const [n, line] of lines.entries()) {
      const json = line.slice(CHECK_CHARACTERS + 1);
      check = checkOf(check, json);
      if (line !== `${check} ${json}`) throw new Error(damaged(file, n + 1));
      entries.push(JSON.parse(json));
    }
    if (end < bytes.length) await truncate(file, end);
    return { journal: new Journal<Entry>(file, check, end), entries };
  }

  /** Returns true if more than `atLeast` characters were appended and the file has doubled in size. */
  isGrown(atLeast: number): boolean {
    return this.#characters.since > Math.max(atLeast, this.#characters.atFirst);
  }

  append(entry: Entry): void {
    const json = JSON.stringify(entry);
    this.#check = checkOf(this.#check, json);
    const line = `${this.#check} ${json}\n`;
    this.#lines.push(line);
    this.#characters.since += line.length;
    this.#next ??= this.#saving.then(() => this.#save());
    this.#next.catch(() => undefined);
  }

  compact(entries: Iterable<Entry>): void {
    this.#isWhole = true;
    this.#lines = [];
    this.#check = '';
    for (const entry of entries) this.append(entry);
    this.#characters = { atFirst: this.#lines.reduce((sum, line) => sum + line.length, 0), since: 0 };
  }

  saved(): Promise<void> {
    return this.#next ?? this.#saving;
  }

  async close(): Promise<void> {
    await this.saved().catch(() => undefined);
    await this.#handle?.close();
  }

  async #save(): Promise<void> {
    this.#saving = this.saved();
    this.#next = undefined;
    const [text, isWhole] = [this.#lines.join(''), this.#isWhole];
    this.#lines = [];
    this.#isWhole = false;
    try {
      if (isWhole) await this.#replace(text);
      else {
        this.#handle ??= await open(this.#file, 'a', 0o600);
        await this.#handle.appendFile(text);
        await this.#handle.datasync();
      }
    } catch (error) {
      throw hasCode(error, 'ENOSPC', 'EDQUOT') ? new Error(diskFull(dirname(this.#file)), { cause: error }) : error;
    }
  }

  async #replace(text: string): Promise<void> {
    const part = await open(partOf(this.#file), 'w', 0o600);
    await part.appendFile(text);
    await part.sync();
    await part.close();
    await this.#handle?.close();
    await rename(partOf(this.#file), this.#file);
    await syncFolder(dirname(this.#file));
    this.#handle = await open(this.#file, 'a');
  }
}

const partOf = (file: string) => `${file}.part`;

function checkOf(before: string, json: string): string {
  return sha256(before + json).slice(0, CHECK_CHARACTERS);
}

function damaged(file: string, line: number): string {
  return `${file} is damaged in line ${line}, so the table cannot be opened. Restore a copy of the file, or start again in another folder: LOCAL_DIR=.local/new npm start -- --keep`;
}

/** Makes a file's new name survive a power loss. Not needed on Windows, which cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
