import type { Figure } from './figure.ts';
export async function priceStories(): Promise<Figure[]> {
  return [];
}
