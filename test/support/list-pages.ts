import type { call } from './world.ts';

type Answered = Awaited<ReturnType<typeof call>>;

export async function pagesOf(
  list: (query: Record<string, string>) => Promise<Answered>,
  query: Record<string, string> = {},
): Promise<Answered['json'][]> {
  const pages: Answered['json'][] = [];
  let cursor: string | null = null;
  do {
    const { json } = await list({ ...query, ...(cursor && { cursor }) });
    pages.push(json);
    cursor = json.meta.next;
    if (pages.length > 400) throw new Error('The list has no end');
  } while (cursor);
  return pages;
}
