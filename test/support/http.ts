import { vi } from 'vitest';
import type { SentText } from '../../infra/phone/texts.ts';
import type { LocalStack } from './local-stack.ts';
import { type HttpRequest, requestAt } from './request.ts';

/** A request to the service of a stack. */
export function request({ facts }: LocalStack, path: string, options?: HttpRequest) {
  return requestAt(facts.base_url, path, options);
}

/** What the phone of a stack sent with this text, or all. */
export async function textsOf({ facts }: LocalStack, message?: string): Promise<SentText[]> {
  const response = await fetch(`${facts.phone_url}/sent`);
  const texts: SentText[] = JSON.parse(await response.text());
  return texts.filter(({ text }) => message === undefined || text === message);
}

/** Waits until the phone sent so many of this text. A second is what the service takes; a busy machine gets more. */
export function textsArrive(stack: LocalStack, message: string, count: number, timeout = 3_000): Promise<SentText[]> {
  return vi.waitFor(
    async () => {
      const texts = await textsOf(stack, message);
      if (texts.length < count) throw new Error(`${texts.length} of ${count} texts have arrived`);
      return texts;
    },
    { timeout, interval: 30 },
  );
}

/** Switches the phone of a stack on or off. */
export async function switchPhone({ facts }: LocalStack, on: boolean): Promise<void> {
  const response = await fetch(`${facts.phone_url}/switch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on }),
  });
  if (!response.ok) throw new Error(`The phone answered ${response.status}`);
}
