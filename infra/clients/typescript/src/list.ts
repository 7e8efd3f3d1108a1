export interface Page<Item, Data> {
  readonly items: readonly Item[];
  /** The response's complete `data`, for lists that return more than their entries. */
  readonly data: Data;
  /** The `cursor` for the next page, or null on the last page. A page can be empty even if more pages follow. */
  readonly next: string | null;
}

/** A list, newest entries first. Pages are requested on demand. */
export class List<Item, Data = unknown> implements AsyncIterable<Item> {
  readonly #load: (cursor?: string) => Promise<Page<Item, Data>>;

  constructor(load: (cursor?: string) => Promise<Page<Item, Data>>) {
    this.#load = load;
  }

  /** Returns the first page, or the page at the `cursor` given in the query. */
  page(): Promise<Page<Item, Data>> {
    return this.#load();
  }

  async *pages(): AsyncGenerator<Page<Item, Data>, void, undefined> {
    let page = await this.#load();
    yield page;
    while (page.next !== null) {
      page = await this.#load(page.next);
      yield page;
    }
  }

  /** Iterates over all entries: `for await (const charge of momo.transaction.list())`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
