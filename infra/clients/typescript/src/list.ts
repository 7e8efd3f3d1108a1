export interface Page<Item, Data> {
  readonly items: readonly Item[];
  /** The complete `data` of the answer, for lists that return more than entries. */
  readonly data: Data;
  /** The next page's `cursor`; null on the last page. A page may be empty although more follow. */
  readonly next: string | null;
}

/** A list, newest first. Each page is requested only when it is read. */
export class List<Item, Data = unknown> implements AsyncIterable<Item> {
  readonly #load: (cursor?: string) => Promise<Page<Item, Data>>;

  constructor(load: (cursor?: string) => Promise<Page<Item, Data>>) {
    this.#load = load;
  }

  /** The first page, or the one at the query's `cursor`. */
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
