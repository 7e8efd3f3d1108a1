import { expect } from 'vitest';

export function expectAnswer(answer: { status: number; text: string }, status: number, ...words: string[]): void {
  expect(answer.status).toBe(status);
  expectWords(answer.text, words);
}

export function expectWords(text: string, present: readonly string[], absent: readonly string[] = []): void {
  expect([...present, ...absent].filter((words) => text.includes(words))).toEqual(present);
}

/** Expects a code in none of the values. Digits within a longer number, such as a time, are no code. */
export function expectNoCode(values: unknown, code: string): void {
  expect(code).toMatch(/^\d{6}$/);
  expect(JSON.stringify(values)).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
}
