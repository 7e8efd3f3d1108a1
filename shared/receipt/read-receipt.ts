import type { Network } from '../merchant/momo-account.ts';
import { parsePhoneNumber } from '../sender/phone-number.ts';

/** What a payment's receipt says. Nothing in it is guessed: a text that does not say all of this is no payment. */
export interface Payment {
  readonly kind: 'payment';
  readonly network: Network;
  readonly amountPesewas: number;
  readonly payerName: string;
  /** `+233…`; null where the network does not tell it. */
  readonly payerPhone: string | null;
  /** What the payer typed; null where the network carries no reference. */
  readonly reference: string | null;
  /** The network's own id: MTN's has 10 to 14 digits, Telecel's 16. */
  readonly transactionId: string;
  /** What is in the wallet after it; null where the text does not say it. */
  readonly balancePesewas: number | null;
}

export type Reading =
  | Payment
  /** The network took a payment back; every id that its text names. */
  | { readonly kind: 'reversal'; readonly network: Network; readonly transactionIds: readonly string[] }
  /** A text of a network's that is known to be no receipt: airtime, interest, a payment made. Also anybody else's text. */
  | { readonly kind: 'other' }
  /** A text of a network's that is not understood: kept for a person to read. */
  | { readonly kind: 'unread'; readonly network: Network }
  /** A text of anybody else's that reads as a receipt: a fraud attempt. */
  | { readonly kind: 'forged' };

/**
 * Reads a text message that arrived at a merchant's phone. Never throws. Shapes and senders: receipts of MTN and Telecel as
 * they were seen in 2025 and 2026; no verified sample of AT's exists, so AT's stay unread.
 */
export function readReceipt(sender: string, text: string): Reading {
  const network = networkOfSender(sender);
  const words = text.replace(/\s+/g, ' ').trim();
  const isLong = words.length > MOST_CHARACTERS;
  if (!network) {
    if (isLong) return { kind: 'other' };
    return { kind: readMtn(words) || readTelecel(words) ? 'forged' : 'other' };
  }
  if (network === 'AT' || isLong) return { kind: 'unread', network };
  const payment = network === 'MTN' ? readMtn(words) : readTelecel(words);
  if (payment) return payment;
  const reversed = reversedIds(network, words);
  if (reversed.length > 0) return { kind: 'reversal', network, transactionIds: reversed };
  return SECRET.test(words) || OTHER_SHAPES.some((shape) => shape.test(words))
    ? { kind: 'other' }
    : { kind: 'unread', network };
}

/**
 * The network whose receipts come from this sender; undefined for any other. Letter case aside the name is compared as it
 * is: anybody can register a sender's name that differs by a dash or a space.
 */
export function networkOfSender(sender: string): Network | undefined {
  return SENDERS[sender.toLowerCase()];
}

const SENDERS: Readonly<Record<string, Network>> = Object.assign(Object.create(null), {
  mobilemoney: 'MTN',
  momo: 'MTN',
  'mtn momo': 'MTN',
  't-cash': 'TELECEL',
  telecelcash: 'TELECEL',
  atmoney: 'AT',
});

/** Longer than any receipt; the parser's effort grows with the square of it. */
const MOST_CHARACTERS = 2000;

const AMOUNT = String.raw`GHS ?(?<amount>\d{1,3}(?:,\d{3}){1,2}(?:\.\d{1,2})?|\d{1,9}(?:\.\d{1,2})?)`;

const HAS_LETTER = /\p{L}/u;
/** No name has a colon, as the network's own words do ("New Balance:"), and none says that the payment was taken back. */
const NAME = String.raw`(?<name>(?:(?!\brevers)[^:])+?)`;

/*
 * A payer writes the reference and so may write anything there, the words of another receipt too. Therefore every shape is
 * anchored at both ends and the reference takes all up to the *last* transaction id, which is the network's.
 */
const MTN = new RegExp(
  String.raw`^Payment received for ${AMOUNT} from ${NAME}\.? ?` +
    String.raw`(?:Current Balance: ?GHS ?(?<balance>[\d,]+(?:\.\d{1,2})?) ?\. ?)?(?:Available Balance: ?GHS ?[\d,.]+ ?)?` +
    String.raw`\.? ?Reference: ?(?<reference>.*?)\.? ?Transaction ID: ?(?<id>\d{10,14})\.?(?: TRANSACTION FEE: ?(?:GHS ?)?[\d.]+)?\.?$`,
  'i',
);

const TELECEL = new RegExp(
  String.raw`^(?<id>\d{16}) Confirmed\. ?You have received ${AMOUNT} from (?<from>.+?) ?` +
    String.raw`on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d\. ?Your Telecel Cash balance is GHS ?(?<balance>\d[\d,]*\.\d\d)\.(?<rest>.*)$`,
  'i',
);
/** From a Telecel number, and from another network, whose "Transfer From:" is fixed wording and no reference. */
const TELECEL_PAYERS = [
  new RegExp(String.raw`^(?<phone>233\d{9}) ?- ?${NAME}$`, 'i'),
  new RegExp(String.raw`^[^:]+ with transaction reference: ?Transfer From: ?(?<phone>233\d{9}) ?- ?${NAME}$`, 'i'),
];

/** Anchored at the start, where no payer can write: what is taken for one of these is not kept. */
const OTHER_SHAPES = [
  /^Payment made for GHS/i,
  /^Cash Out (?:made )?for GHS/i,
  /^(?:Transaction ID: ?\d+ confirmed from [^.]{1,40}\. )?You have received airtime/i,
  /^Dear customer, you have received GHS ?[\d.,]+ in your Telecel Cash wallet as interest/i,
];
/** A secret that is none of ours to keep. Receipts warn of telling an OTP, so a text that says "received" is no secret. */
const SECRET = /^(?!.*\breceived\b).*\b(?:OTP|one[- ]time (?:password|pin|code)|verification code)\b/i;

function readMtn(words: string): Payment | undefined {
  const { amount, name, balance, reference, id } = MTN.exec(words)?.groups ?? {};
  if (!amount || !name || !HAS_LETTER.test(name) || reference === undefined || !id) return undefined;
  return {
    kind: 'payment',
    network: 'MTN',
    amountPesewas: pesewasOfText(amount),
    payerName: name.trim(),
    payerPhone: null,
    reference: reference.trim() || null,
    transactionId: id,
    balancePesewas: balance ? pesewasOfText(balance) : null,
  };
}

function readTelecel(words: string): Payment | undefined {
  const { id, amount, from, balance, rest } = TELECEL.exec(words)?.groups ?? {};
  if (!id || !amount || !from || !balance || rest === undefined) return undefined;
  const payer = TELECEL_PAYERS.map((shape) => shape.exec(from)?.groups).find((groups) => groups !== undefined);
  const payerPhone = parsePhoneNumber(`+${payer?.phone}`);
  if (!payer?.name || !HAS_LETTER.test(payer.name) || !payerPhone) return undefined;
  return {
    kind: 'payment',
    network: 'TELECEL',
    amountPesewas: pesewasOfText(amount),
    payerName: payer.name.trim(),
    payerPhone,
    reference: /^ ?Reference: ?(.*?)\.? Stay alert\./i.exec(rest)?.[1]?.trim() || null,
    transactionId: id,
    balancePesewas: pesewasOfText(balance),
  };
}

/**
 * The ids in a reversal's text. Only what the network itself wrote counts: a payer could have typed "reversed" and another
 * payment's id into a reference, so a text that begins as a payment is none, and what follows a reference is not looked at.
 */
function reversedIds(network: 'MTN' | 'TELECEL', words: string): string[] {
  if (/\breceived\b/i.test(words)) return [];
  const [own = ''] = words.split(/\b(?:reference|ref|message|note)\b/i);
  if (!/\brevers/i.test(own)) return [];
  return [...own.matchAll(network === 'MTN' ? /\b\d{10,14}\b/g : /\b\d{16}\b/g)].map(([id]) => id);
}

/** `1,234.5` is 123450. */
function pesewasOfText(amount: string): number {
  const [cedis = '', decimals = ''] = amount.replaceAll(',', '').split('.');
  return Number(cedis) * 100 + Number(decimals.padEnd(2, '0'));
}
