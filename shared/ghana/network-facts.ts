/**
 * Each network is described as data in a file of its own, and listed in `network.ts`. The file has several exports, so
 * that bundles include only the parts they use.
 */

export interface NetworkFacts {
  readonly name: string;
  readonly short: string;
  readonly article: 'a' | 'an';
  readonly ussd: string;
  /** Colours for the network's wallet on customer pages. `edge` is the colour of the bottom border. */
  readonly colours: { readonly back: string; readonly text: string; readonly edge?: string };
  /**
   * Sender names exactly as phones show them, most common first. Do not add other spellings: each would be another name
   * that a fraudster could register.
   */
  readonly senders: readonly [string, ...string[]];
  /**
   * Other names that people mistake for the network's. Texts from these names never confirm a payment, but the operator
   * can see that they arrived.
   */
  readonly lookalikes: readonly string[];
  /** Number prefixes assigned to the network, without the leading 0. A ported number keeps its prefix. */
  readonly prefixes: readonly string[];
  /** True if `networkTexts` includes this network. */
  readonly isRead: boolean;
  /**
   * The payers whose phone numbers usually appear in this network's receipts: all payers, only those on other networks,
   * or nobody.
   */
  readonly namesNumbersOf: 'all' | 'others' | 'nobody';
  /**
   * True if a wallet's balance chain may decide which payments are confirmed. A long log must first show that this
   * network's texts can be linked.
   */
  readonly mayEnforce: boolean;
  /**
   * Number of transaction ids per day across all wallets of the network. Used until a wallet's own texts show the rate.
   */
  readonly idsADay: number;
  /**
   * Reversals at a payer's request: the number of days allowed, and the way to request one. See
   * `docs/internals/reversals.md`.
   */
  readonly takesBack: { readonly days: number; readonly how: string };
  readonly transactionId: {
    readonly digits: number;
    /** Regular expression for an id in capital letters. */
    readonly pattern: string;
    /**
     * Inserts the full stops that people replace with spaces or dashes or leave out. Unset for networks whose ids
     * consist only of digits.
     */
    readonly stops?: { readonly pattern: string; readonly spelled: string };
    readonly description: string;
    /** True if ids start with zeros that people leave out. */
    readonly isPadded?: true;
    readonly example?: { readonly before: string; readonly id: string; readonly after: string };
  };
}

export interface NetworkTexts {
  readonly transactionId: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Labels of fees. `{charges}` in a shape matches up to three fees in any order. */
  readonly chargeLabels: readonly string[];
  /** Sentences that the network may append to any text. */
  readonly adverts: readonly string[];
  /** Current and former names of the network's wallet. `{wallet}` in a shape matches them. */
  readonly wallets: readonly string[];
  /**
   * The network's names for other networks and switches through which payments arrive. `{system}` in a shape matches
   * them. They can also end a reference such as `NAME ,NUMBER,REFERENCE from SYSTEM`.
   */
  readonly systems: readonly string[];
}

/**
 * A wording that the network uses, with named parts in braces and optional parts in brackets. A space matches any
 * number of spaces, `.` and `,` match any punctuation or none, and case is ignored.
 */
export interface Shape {
  readonly kind: 'payment' | 'money_in' | 'money_out' | 'no_money';
  readonly text: string;
  /**
   * True if no further shapes should be tried when a text fits this shape but its name is impossible. Such a name
   * contains words from another receipt.
   */
  readonly isFinal?: true;
  /** True if the text mentions no fee, and balances before and after such payments show that there is none. */
  readonly isFree?: true;
}

export type Samples<Shapes> = Readonly<
  Record<keyof Shapes, { readonly source: string; readonly seen: string; readonly text: string }>
>;

/** Examples that are used only by tests and the simulated phone. */
export interface NetworkExamples {
  /** One sample per shape, with fictional people and numbers. */
  readonly samples: Samples<Record<string, unknown>>;
  /** The text to the payee about a payment between two people, in the wording used in 2025 and 2026. */
  readonly receipt: {
    /** Contains `{amount}`, `{balance}`, `{name}`, `{phone}`, `{reference}`, `{id}`, `{date}` and `{time}`. */
    readonly text: string;
    /** A transaction id from early 2026. */
    readonly firstId: number;
  };
  /**
   * The text to the sender about a free payment to a person on the same network. Contains the same placeholders, filled
   * with the recipient's name and number.
   */
  readonly sent: string;
}
