import { Network, networks } from '../../ghana/network.ts';
import { plainText } from '../../runtime/values/plain-text.ts';

const LABEL = new RegExp(`^(?:${Object.keys(networks).join('|')}\\b)?\\s*(?:ID\\b\\s*[:.#]?)?`, 'i');

const MAX_ID_DIGITS = 20;

/**
 * Parses a network's transaction id as people and spreadsheets write it: in groups of digits, as `="0000…"`, or after
 * the network's name (`TELECEL 0000…`). Returns undefined for anything else.
 */
export function writtenTransactionId(written: string): string | undefined {
  const unquoted = plainText(written).replace(/^[\s=]*["']*|(?<!["'\s])["'\s]+$/g, '');
  const id = withoutDecimals(unquoted.replace(LABEL, '').trim()).toUpperCase();
  if (!/^\d+(?:[\s\p{Pd}]\d+)*$/u.test(id))
    return Network.options.map((network) => spelledId(id, network)).find((spelled) => spelled !== undefined);
  const joined = id.replace(/\D/g, '');
  return joined.length <= MAX_ID_DIGITS ? joined : undefined;
}

export function spelledId(id: string, network: Network): string | undefined {
  const { pattern, stops } = networks[network].transactionId;
  if (!new RegExp(`^(?:${pattern})$`).test(id)) return undefined;
  return stops ? id.replace(new RegExp(stops.pattern), stops.spelled) : id;
}

export function withoutDecimals(written: string): string {
  return written.replace(/\.0{1,2}$/, '');
}

/** True for an id such as `6.28E+10`, whose digits a spreadsheet has rounded. */
export function isShortened(written: string): boolean {
  return /^\W*\d+(?:[.,]\d+)?E\+?\d{1,2}\W*$/i.test(plainText(written));
}

export function withoutZeros(transactionId: string): string {
  return transactionId.replace(/^0+(?=\d)/, '');
}

/**
 * Parses a charge's reference as people write it: in groups of digits (`MK 4172 852 884`), in any case, or without
 * `MK`. Returns undefined for anything else, including ten digits that begin with 0 (a phone number).
 */
export function writtenReference(written: string): string | undefined {
  const [, grouped] = /^(?:MK[\s\p{Pd}]*)?(\d(?:[\s\p{Pd}]?\d){9})$/iu.exec(plainText(written).trim()) ?? [];
  const digits = grouped?.replace(/\D/g, '');
  return digits && !digits.startsWith('0') ? `MK-${digits}` : undefined;
}
