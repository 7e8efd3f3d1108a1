import { vi } from 'vitest';
import type { SentText } from '../../infra/phone/texts.ts';
import type { LocalStack } from './local-stack.ts';
import { type HttpRequest, requestAt } from './request.ts';
import { postJson } from './server.ts';

export function request({ facts }: LocalStack, path: string, options?: HttpRequest) {
  return requestAt(facts.base_url, path, options);
}

export async function textsOf({ facts }: LocalStack, message?: string): Promise<SentText[]> {
  const response = await fetch(`${facts.phone_url}/sent`);
  const texts: SentText[] = JSON.parse(await response.text());
  return texts.filter(({ text }) => message === undefined || text === message);
}

/** Generous timeout for something that takes about a second. */
export const PATIENCE = { timeout: 120_000, interval: 30 };

export function textsArrive(stack: LocalStack, message: string, count: number): Promise<SentText[]> {
  return vi.waitFor(async () => {
    const texts = await textsOf(stack, message);
    if (texts.length < count) throw new Error(`${texts.length} of ${count} texts have arrived`);
    return texts;
  }, PATIENCE);
}

export async function switchPhone({ facts }: LocalStack, on: boolean): Promise<void> {
  const response = await postJson(`${facts.phone_url}/switch`, { on });
  if (!response.ok) throw new Error(`The phone responded with status ${response.status}`);
}

export async function textArrives(
  { facts }: LocalStack,
  { sender, text }: { readonly sender: string; readonly text: string },
): Promise<void> {
  const { status } = await postJson(`${facts.phone_url}/receive`, { sender, message: text, simNumber: 1 });
  if (status >= 300) throw new Error(`The simulated phone responded with status ${status}`);
}
