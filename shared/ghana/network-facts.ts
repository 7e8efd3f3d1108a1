/** Each network has its own file, listed in `network.ts`, with several exports so that bundles stay small. */

export interface NetworkFacts {
  readonly name: string;
  readonly short: string;
  readonly article: 'a' | 'an';
  readonly ussd: string;
  /** Colours of the network on customer pages. `edge` is the bottom border. */
  readonly colours: { readonly back: string; readonly text: string; readonly edge?: string };
  /**
   * Sender names exactly as phones show them, most common first. Do not add other spellings: a fraudster could register
   * them.
   */
  readonly senders: readonly [string, ...string[]];
  /** Names that people mistake for the network's. Texts from these senders never confirm a payment. */
  readonly lookalikes: readonly string[];
  /** Number prefixes assigned to the network, without the leading 0. */
  readonly prefixes: readonly string[];
  /** True if `networkTexts` includes this network. */
  readonly isRead: boolean;
  /** The payers whose phone numbers usually appear in this network's receipts. */
  readonly namesNumbersOf: 'all' | 'others' | 'nobody';
  /**
   * Number of texts that a wallet must link before they verify anything. Higher on a network whose texts we have rarely
   * seen. Undefined if its texts state no balance.
   */
  readonly provesAfterLinks: number | undefined;
  /** Estimated number of transaction ids per day across the network. */
  readonly idsADay: number;
  /** The payer's way to reverse a payment, and the deadline in days. See `docs/internals/reversals.md`. */
  readonly takesBack: { readonly days: number; readonly how: string };
  readonly transactionId: {
    readonly digits: number;
    /** Regular expression for an id in upper case. */
    readonly pattern: string;
    /** Restores missing full stops in a typed id. Unset for numeric ids. */
    readonly stops?: { readonly pattern: string; readonly spelled: string };
    readonly description: string;
    readonly isPadded?: true;
    readonly example?: { readonly before: string; readonly id: string; readonly after: string };
  };
}

export interface NetworkTexts {
  readonly transactionId: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Labels of fees, matched by `{charges}` in a template. */
  readonly chargeLabels: readonly string[];
  /** Sentences that the network may append to any text. */
  readonly adverts: readonly string[];
  /** Current and former names of the network's wallet, matched by `{wallet}` in a template. */
  readonly wallets: readonly string[];
  /** Names of other networks and payment switches, matched by `{system}` in a template. */
  readonly systems: readonly string[];
}

/**
 * A template of a network's text, with placeholders in braces and optional words in brackets. Case, commas and full
 * stops are ignored.
 */
export interface Shape {
  readonly kind: 'payment' | 'money_in' | 'money_out' | 'no_money';
  readonly text: string;
  /** True if a text that matches this template except for its name must not be tried against other templates. */
  readonly isFinal?: true;
  /** True if the text mentions no fee because the network charges none. */
  readonly isFree?: true;
}

export type Samples<Shapes> = Readonly<
  Record<keyof Shapes, { readonly source: string; readonly seen: string; readonly text: string }>
>;

/** Examples for tests and the simulated phone. */
export interface NetworkExamples {
  /** One sample per template, with fictional people and numbers. */
  readonly samples: Samples<Record<string, unknown>>;
  /** The text that a payee receives, as sent in 2025 and 2026. */
  readonly receipt: {
    /** Contains `{amount}`, `{balance}`, `{name}`, `{phone}`, `{reference}`, `{id}`, `{date}` and `{time}`. */
    readonly text: string;
    readonly firstId: number;
  };
  /** The text that a payer receives for a free payment within the network. Same placeholders as in the receipt. */
  readonly sent: string;
}
