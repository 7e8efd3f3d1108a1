import { expect } from 'vitest';

export function expectAnswer(answer: { status: number; text: string }, status: number, ...words: string[]): void {
  expect(answer.status).toBe(status);
  expectWords(answer.text, words);
}

export function expectWords(text: string, present: readonly string[], absent: readonly string[] = []): void {
  expect([...present, ...absent].filter((words) => text.includes(words))).toEqual(present);
}
