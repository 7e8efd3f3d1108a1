import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { hasCode, writeWhole } from '../local/write-whole.ts';
import { Callback } from './outbox.ts';
import { Message, Received } from './texts.ts';

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  event: z.string(),
  deviceId: z.string().nullable(),
});
export type Webhook = z.infer<typeof Webhook>;

const Memory = z.object({
  messages: z.array(Message),
  received: z.array(Received),
  webhooks: z.array(Webhook),
  callbacks: z.array(Callback),
});
export type Memory = z.infer<typeof Memory>;

const WRITE_PAUSE_MS = 100;

export async function readMemory(file: string | undefined): Promise<Memory> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(ignoreMissing);
  if (text === undefined) return { messages: [], received: [], webhooks: [], callbacks: [] };
  try {
    return Memory.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is not a stored phone. Delete it to start with a new one.`, { cause });
  }
}

export class MemoryFile {
  readonly #file: string | undefined;
  readonly #memory: () => Memory;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string | undefined, memory: () => Memory) {
    this.#file = file;
    this.#memory = memory;
  }

  changed(): void {
    if (this.#file === undefined) return;
    this.#timer ??= setTimeout(() => {
      try {
        this.flush();
      } catch (error) {
        // The phone keeps running. The next save rewrites the whole file.
        console.error(error instanceof Error ? error.message : error);
      }
    }, WRITE_PAUSE_MS);
  }

  /** Saves the phone's state. @throws an Error with a user-friendly message if the disk is full. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Private, because the file contains texts and the signing key.
    writeWhole(this.#file, JSON.stringify(this.#memory()), 0o600);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}
