import { CANCELLED } from '../../phones/gateway/callback.ts';

/**
 * What the app gives as the reason why a text failed, and what it means. The app's own word follows in brackets: it is what
 * Android's and SMSGate's documentation can be searched for.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${CANCELLED}$`), 'It was cancelled at the gateway before the phone sent it'],
  [/TTL expired/, 'The phone did not send it in time'],
  [/SIM \d+ not found/, 'The phone does not have the SIM of this number'],
  [/RESULT_ERROR_GENERIC_FAILURE/, 'The network did not take it: the SIM may have no airtime'],
  [/RESULT_ERROR_(NO_SERVICE|NETWORK_ERROR|NETWORK_REJECT|MODEM_ERROR|RIL_)/, 'The phone had no network'],
  [/RESULT_ERROR_RADIO_OFF|RESULT_RADIO_NOT_AVAILABLE/, 'The phone was in flight mode'],
  [/RESULT_ERROR_LIMIT_EXCEEDED/, 'Android stopped it, because the phone had sent too many texts'],
  [/RESULT_ERROR_SHORT_CODE/, 'Android does not let the phone send to this short code'],
  [/^Delivery result/, 'The network could not deliver it to the recipient'],
];

/** A phone's reason in plain words. Recipients and senders are left out: the reason is shown beside them. */
export function reasonInWords(reason: string | null | undefined): string {
  const written = (reason ?? '').replace(/\+\d+/g, '').trim();
  const [, words] = WORDS.find(([pattern]) => pattern.test(written)) ?? [];
  const [code] = /RESULT_\w+|\d+$/.exec(written) ?? [];
  if (words !== undefined) return code ? `${words} (${code})` : words;
  // Not as JSON, and nothing that only a program reads.
  const isPlain = written !== '' && written.length <= MAX_CHARACTERS && !/[{}<>[\]]/.test(written);
  return isPlain ? `The phone could not send it: ${written}` : 'The phone could not send it';
}

const MAX_CHARACTERS = 200;
