import { Network, networks } from '../../ghana/network.ts';
import { plainText } from '../../runtime/values/plain-text.ts';

/** Labels of our own files and of a network's text, in front of an id. */
const LABEL = new RegExp(`^(?:${Object.keys(networks).join('|')}\\b)?\\s*(?:ID\\b\\s*[:.#]?)?`, 'i');

/** The most digits of any network's id. */
const MAX_ID_DIGITS = 20;

/**
 * A network's transaction id, as a person or a spreadsheet writes it: in groups, as `="0000…"`, or behind the network's name as in our
 * files (`TELECEL 0000…`). Undefined for anything else.
 */
export function writtenTransactionId(written: string): string | undefined {
  const unquoted = plainText(written).replace(/^[\s=]*["']*|["'\s]*$/g, '');
  const id = withoutDecimals(unquoted.replace(LABEL, '').trim()).toUpperCase();
  if (!/^\d+(?:[\s\p{Pd}]\d+)*$/u.test(id))
    return Network.options.map((network) => spelledId(id, network)).find((spelled) => spelled !== undefined);
  const joined = id.replace(/\D/g, '');
  return joined.length <= MAX_ID_DIGITS ? joined : undefined;
}

/** The one spelling by which an id in capital letters is stored and found; undefined for what is no id of the network. */
export function spelledId(id: string, network: Network): string | undefined {
  const { pattern, stops } = networks[network].transactionId;
  if (!new RegExp(`^(?:${pattern})$`).test(id)) return undefined;
  return stops ? id.replace(new RegExp(stops.pattern), stops.spelled) : id;
}

/** An id without the decimals that a spreadsheet adds to a number. */
export function withoutDecimals(written: string): string {
  return written.replace(/\.0{1,2}$/, '');
}

/** True for `6.28E+10`: a spreadsheet has rounded the digits away. */
export function isShortened(written: string): boolean {
  return /^\W*\d+(?:[.,]\d+)?E\+?\d{1,2}\W*$/i.test(plainText(written));
}

/** An id without the zeros at its front, which a spreadsheet drops. */
export function withoutZeros(transactionId: string): string {
  return transactionId.replace(/^0+(?=\d)/, '');
}

/**
 * The reference of a charge as a person writes it: grouped as on its page (`MK 4172 852 884`), in any case, or its ten digits alone. Undefined for
 * anything else; ten digits that begin with 0 are a phone number.
 */
export function writtenReference(written: string): string | undefined {
  const [, grouped] = /^(?:MK[\s\p{Pd}]*)?(\d(?:[\s\p{Pd}]?\d){9})$/iu.exec(plainText(written).trim()) ?? [];
  const digits = grouped?.replace(/\D/g, '');
  return digits && !digits.startsWith('0') ? `MK-${digits}` : undefined;
}
