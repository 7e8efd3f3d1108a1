/** One page of a list. */
export interface Page<Item, Data> {
  readonly items: readonly Item[];
  /** The whole `data` of the answer, where a list says more than its entries. */
  readonly data: Data;
  /** The `cursor` of the next page; null on the last one. A page may be empty although more follow. */
  readonly next: string | null;
}

/** A list, newest first. Nothing is requested before it is read; each page is requested when its turn comes. */
export class List<Item, Data = unknown> implements AsyncIterable<Item> {
  readonly #load: (cursor?: string) => Promise<Page<Item, Data>>;

  constructor(load: (cursor?: string) => Promise<Page<Item, Data>>) {
    this.#load = load;
  }

  /** The first page, or the one whose `cursor` the query gives. */
  page(): Promise<Page<Item, Data>> {
    return this.#load();
  }

  /** Page by page, to the last. */
  async *pages(): AsyncGenerator<Page<Item, Data>, void, undefined> {
    let page = await this.#load();
    yield page;
    while (page.next !== null) {
      page = await this.#load(page.next);
      yield page;
    }
  }

  /** Entry by entry, to the last: `for await (const charge of momo.transaction.list())`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
