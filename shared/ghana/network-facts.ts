/*
 * A network is data, in a file of its own that `network.ts` lists. The file exports in pieces what few functions need, so that no bundle
 * holds more of it than it uses.
 */

/** What everybody needs to know about a network. */
export interface NetworkFacts {
  /** As customers call the wallet. */
  readonly name: string;
  /** As customers call the network. */
  readonly short: string;
  /** What comes before that. */
  readonly article: 'a' | 'an';
  /** The code to dial to start a payment. */
  readonly ussd: string;
  /** Of its wallets, where customers see them; some have a line below. */
  readonly colours: { readonly back: string; readonly text: string; readonly edge?: string };
  /** Exactly as the phone shows them, the usual one first: each further spelling is one more that somebody can register. */
  readonly senders: readonly [string, ...string[]];
  /** Other names that people take for the network. What they write confirms nothing, and the operator sees that they wrote. */
  readonly lookalikes: readonly string[];
  /** What the numbers that it gave out begin with, behind the 0. A number that moved to another network keeps them. */
  readonly prefixes: readonly string[];
  /** Whether its texts can be read: whether it has any in `networkTexts`. */
  readonly isRead: boolean;
  /** Of which payers its receipts tell the number, if only mostly: of those on other networks, of its own too, or of none. */
  readonly tellsNumbersOf: 'all' | 'others' | 'nobody';
  /** Whether a wallet's chain of balances may decide which payments confirm: a long log has shown that its texts link. */
  readonly mayEnforce: boolean;
  /** Of all its wallets together, before one of them has learned the pace. */
  readonly idsADay: number;
  /** How a payer can have a payment taken back, and for how many days after it, as `docs/internals/reversals.md` found it. */
  readonly takesBack: { readonly days: number; readonly how: string };
  readonly transactionId: {
    /** Digits of the ids that it gives out now. */
    readonly digits: number;
    /** A pattern of one, in capital letters. */
    readonly pattern: string;
    /** Puts full stops where people write blanks, dashes or nothing. A network without this has ids of digits alone. */
    readonly stops?: { readonly pattern: string; readonly spelled: string };
    /** What a customer reads whose text holds none. */
    readonly said: string;
    /** It begins with zeros, which people leave out. */
    readonly isPadded?: true;
    /** Where customers find it in their text. */
    readonly example?: { readonly before: string; readonly id: string; readonly after: string };
  };
}

/** What a network's texts look like. */
export interface NetworkTexts {
  /** A pattern of one of its transaction ids. */
  readonly transactionId: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** What its charges are called; `{charges}` in a shape is up to three of them, in any order. */
  readonly chargeLabels: readonly string[];
  /** Sentences that it appends to any text. */
  readonly adverts: readonly string[];
  /** Names of its own wallet, today's and earlier ones: `{wallet}` in a shape. */
  readonly wallets: readonly string[];
  /**
   * What it calls the networks and switches that it delivers payments of: `{system}` in a shape, and at the end of a reference
   * like `NAME ,NUMBER,REFERENCE from SYSTEM`.
   */
  readonly systems: readonly string[];
}

/**
 * One wording. `text` is the network's own words with named parts in braces and what may be missing in brackets. A space
 * stands for any spaces, `.` and `,` for any or no punctuation, capital and small letters are the same.
 */
export interface Shape {
  readonly kind: 'payment' | 'money_in' | 'money_out' | 'no_money';
  readonly text: string;
  /** A text that fits but for an impossible name is no other shape's either: the name holds words of another receipt. */
  readonly isFinal?: true;
  /** No fee is named, and the balances before and after show none. */
  readonly isFree?: true;
}

/** A text of each shape. */
export type Samples<Shapes> = Readonly<
  Record<keyof Shapes, { readonly source: string; readonly seen: string; readonly text: string }>
>;

/** What only tests and the simulated phone need. */
export interface NetworkExamples {
  /** Of each shape, for the engineer who changes it: people and numbers are invented. */
  readonly samples: Samples<Record<string, unknown>>;
  /** What reaches the payee of a payment from person to person, as it was worded in 2025 and 2026. */
  readonly receipt: {
    /** With `{amount}`, `{balance}`, `{name}`, `{phone}`, `{reference}`, `{id}`, `{date}` and `{time}`. */
    readonly text: string;
    /** Its id at the beginning of 2026. */
    readonly firstId: number;
  };
  /** What reaches a wallet that sent money to a person of its own network without a fee, with the same parts: the name and number are that person's. */
  readonly sent: string;
}
