/*
 * A network is data in its own file, listed in `network.ts`. The file exports separate pieces, so that no bundle
 * includes more than it uses.
 */

export interface NetworkFacts {
  readonly name: string;
  readonly short: string;
  readonly article: 'a' | 'an';
  readonly ussd: string;
  /** Its wallet's colours on customers' pages; `edge` is a line below. */
  readonly colours: { readonly back: string; readonly text: string; readonly edge?: string };
  /**
   * Sender names exactly as phones show them, the usual one first. Each spelling is one more that somebody else could
   * register.
   */
  readonly senders: readonly [string, ...string[]];
  /**
   * Other names that people take for the network. Texts from them confirm nothing, and the operator sees that they
   * came.
   */
  readonly lookalikes: readonly string[];
  /** Number prefixes assigned to the network, without the leading 0. Ported numbers keep them. */
  readonly prefixes: readonly string[];
  /** True if `networkTexts` has its texts. */
  readonly isRead: boolean;
  /** Payers whose phone numbers its receipts usually name: all, only those on other networks, or nobody. */
  readonly namesNumbersOf: 'all' | 'others' | 'nobody';
  /** True if balance chains may decide which payments confirm, because a long log has shown that its texts link. */
  readonly mayEnforce: boolean;
  /** Transaction ids a day over all its wallets, used until a wallet has shown the pace. */
  readonly idsADay: number;
  /** Days and ways in which a payer can reverse a payment; see `docs/internals/reversals.md`. */
  readonly takesBack: { readonly days: number; readonly how: string };
  readonly transactionId: {
    readonly digits: number;
    /** In capital letters. */
    readonly pattern: string;
    /** Puts full stops where people write blanks, dashes or nothing. A network without this has ids of digits alone. */
    readonly stops?: { readonly pattern: string; readonly spelled: string };
    readonly description: string;
    /** Ids start with zeros, which people omit. */
    readonly isPadded?: true;
    readonly example?: { readonly before: string; readonly id: string; readonly after: string };
  };
}

export interface NetworkTexts {
  /** A pattern of one of its transaction ids. */
  readonly transactionId: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Labels of charges. `{charges}` in a shape matches up to three, in any order. */
  readonly chargeLabels: readonly string[];
  /** Sentences that it appends to any text. */
  readonly adverts: readonly string[];
  /** Names of its own wallet, current and earlier: `{wallet}` in a shape. */
  readonly wallets: readonly string[];
  /**
   * Its names for networks and switches that payments come from: `{system}` in a shape, and at the end of a reference
   * such as `NAME ,NUMBER,REFERENCE from SYSTEM`.
   */
  readonly systems: readonly string[];
}

/**
 * One wording. `text` is the network's own words, with named parts in braces and optional ones in brackets. A space
 * matches any spaces; `.` and `,` match any or no punctuation; case is ignored.
 */
export interface Shape {
  readonly kind: 'payment' | 'money_in' | 'money_out' | 'no_money';
  readonly text: string;
  /**
   * A text that fits except for an impossible name fits no other shape either, since the name contains words of another
   * receipt.
   */
  readonly isFinal?: true;
  /** No fee is named, and the balances before and after show none. */
  readonly isFree?: true;
}

/** One text for each shape. */
export type Samples<Shapes> = Readonly<
  Record<keyof Shapes, { readonly source: string; readonly seen: string; readonly text: string }>
>;

/** Needed only by tests and the simulated phone. */
export interface NetworkExamples {
  /** One for each shape, with invented people and numbers. */
  readonly samples: Samples<Record<string, unknown>>;
  /** The payee's text about a payment between people, as worded in 2025 and 2026. */
  readonly receipt: {
    /** With `{amount}`, `{balance}`, `{name}`, `{phone}`, `{reference}`, `{id}`, `{date}` and `{time}`. */
    readonly text: string;
    /** An id at the beginning of 2026. */
    readonly firstId: number;
  };
  /**
   * The sender's text about a free payment to a person on the same network, with the same parts; name and number are
   * that person's.
   */
  readonly sent: string;
}
