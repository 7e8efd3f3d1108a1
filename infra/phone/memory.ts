import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Message } from './message.ts';
import { Callback } from './outbox.ts';
import { Received } from './received.ts';

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  event: z.string(),
  deviceId: z.string().nullable(),
});
export type Webhook = z.infer<typeof Webhook>;

/** The state of a phone that survives a restart. */
const Memory = z.object({
  messages: z.array(Message),
  // A file from before texts could be received has none.
  received: z.array(Received).default([]),
  webhooks: z.array(Webhook),
  callbacks: z.array(Callback),
});
export type Memory = z.infer<typeof Memory>;

const WRITE_PAUSE_MS = 100;

/** @throws when the file is there but is not a phone's memory. */
export async function readMemory(file: string | undefined): Promise<Memory> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(ignoreMissing);
  if (text === undefined) return { messages: [], received: [], webhooks: [], callbacks: [] };
  try {
    return Memory.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is not a stored phone. Delete it to start with a new one.`, { cause });
  }
}

/** Writes the state shortly after a change, completely or not at all: to a file beside it, then renamed. */
export class MemoryFile {
  readonly #file: string | undefined;
  readonly #memory: () => Memory;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(file: string | undefined, memory: () => Memory) {
    this.#file = file;
    this.#memory = memory;
  }

  changed(): void {
    if (this.#file === undefined) return;
    this.#timer ??= setTimeout(() => this.flush().catch(console.error), WRITE_PAUSE_MS);
  }

  /** Writes what is not yet written. */
  async flush(): Promise<void> {
    const file = this.#file;
    if (file !== undefined && this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      // One after the other, and the next whether or not the one before succeeded.
      const writeNow = () => write(file, this.#memory());
      this.#writing = this.#writing.then(writeNow, writeNow);
    }
    await this.#writing;
  }
}

async function write(file: string, memory: Memory): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Texts and a signing key: only for who started the phone.
  await writeFile(`${file}.new`, JSON.stringify(memory), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
