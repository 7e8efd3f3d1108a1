import { type Network, networks } from '../../ghana/network.ts';
import { mayBeNumber, plainCharacters } from '../../ghana/phone-number.ts';

/** What a customer reads if their text holds no id of the network. */
export function describeTransactionId(network: Network): string {
  return networks[network].transactionId.said;
}

/**
 * The network's transaction id in what a customer typed or pasted: the id itself, with spaces and dashes, `ID: 70412345678`,
 * or a whole text of the network's. Undefined if there is none, or if it could be one of several numbers.
 */
export function transactionIdIn(typed: string, network: Network): string | undefined {
  const { digits: usual, pattern, isPadded } = networks[network].transactionId;
  const isId = (digits: string | undefined) => digits !== undefined && new RegExp(`^${pattern}$`).test(digits);
  const text = plainCharacters(typed.slice(0, MAX_CHARACTERS));
  const alone = text.replace(/^[^\d]*|[^\d]*$/g, '').replace(/[ .-]/g, '');
  if (/^\d+$/.test(alone)) {
    const whole = isPadded && alone.length >= 10 ? alone.padStart(usual, '0') : alone;
    return isId(whole) && !mayBeNumber(alone) ? whole : undefined;
  }
  const labelled = [...text.matchAll(/\bID\b\.?\s*[:#-]?\s*(\d+)/gi)].map(([, digits]) => digits).find(isId);
  if (labelled) return labelled;
  const found = new Set((text.match(/\d+/g) ?? []).filter(isId).filter((digits) => !mayBeNumber(digits)));
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** Longer than any network's text. */
const MAX_CHARACTERS = 1000;
