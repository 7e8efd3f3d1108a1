import type { NetworkFacts } from './network-facts.ts';

/** AT, once AirtelTigo. One text of its wallets has been found, too little to read any by: each is left to a person. */
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
  tellsNumbersOf: 'nobody',
  mayEnforce: false,
  idsADay: 10_000_000,
  takesBack: { days: 30, how: 'the payer dials *110*8#, or asks AT' },
  transactionId: {
    digits: 11,
    // Letters, date, time and a counter; or a counter alone: a zero before it would be a second id for the same number. References begin with MK.
    pattern: '[1-9]\\d{7,19}|(?!MK)[A-Z]{2,3}(?:\\d{6}[ .-]?\\d{4}[ .-]?[A-Z]\\d{4,6}|\\d{6,14})',
    stops: { pattern: '^([A-Z]{2,3}\\d{6})[ .-]?(\\d{4})[ .-]?([A-Z]\\d{4,6})$', spelled: '$1.$2.$3' },
    said: 'A transaction ID of AT Money looks like GM251127.0930.C09997, or is a long number',
  },
};
