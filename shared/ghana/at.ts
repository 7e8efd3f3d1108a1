import type { NetworkFacts } from './network-facts.ts';

const STOP = '[ .-]{0,3}';
/** The part of an id after its letters: a date, a time and a counter. */
const WITH_TIME = `(\\d{6})${STOP}(\\d{4})${STOP}([A-Z]\\d{4,6})`;
/** Eight digits that form a date in this century, as YYYYMMDD or DDMMYYYY. */
const DATE = '20\\d{2}(?:0\\d|1[0-2])[0-3]\\d|[0-3]\\d(?:0\\d|1[0-2])20\\d{2}';
/** A local phone number without the leading 0. */
const LOCAL = '[25]\\d{8}';

/** AT, formerly AirtelTigo. Its texts are not parsed, because only one sample is known. */
export const at: NetworkFacts = {
  name: 'AT Money',
  short: 'AT',
  article: 'an',
  ussd: '*110#',
  colours: { back: '#1c4fa1', text: '#ffffff', edge: '#e4002b' },
  senders: ['ATMoney', 'AT Money'],
  lookalikes: ['AT', 'AT Cash', 'AirtelTigo', 'AirtelTigo Money', 'AirtelTigo Cash', 'Tigo Cash', 'Airtel Money'],
  prefixes: ['26', '27', '56', '57'],
  isRead: false,
  namesNumbersOf: 'nobody',
  provesAfterLinks: undefined,
  idsADay: 10_000_000,
  takesBack: { days: 30, how: 'the payer dials *110*8#, or asks AT' },
  transactionId: {
    digits: 11,
    // Ids have no leading zero; otherwise, two ids would stand for the same number. They never start with MK (our
    // reference) or GHS (an amount).
    pattern: `(?!(?:${DATE}|${LOCAL})(?!\\d))[1-9]\\d{7,19}|(?!MK|GH[SC])[A-Z]{2,3}(?:${WITH_TIME}|\\d{7,14})`,
    stops: { pattern: `^([A-Z]{2,3})${WITH_TIME}$`, spelled: '$1$2.$3.$4' },
    description: 'An AT Money transaction ID looks like GM251127.0930.C09997, or is a long number',
  },
};
