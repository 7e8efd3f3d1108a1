export const receipt = {
  title: 'Receipt',
  reversedTitle: 'Payment reversed',
  paidTo: 'Paid to',
  purpose: 'For',
  amount: 'Amount',
  paidOn: 'Paid on',
  reference: 'Reference',
  code: 'Code',
  codeGiven: 'Handed over',
  codeGivenOn: (day: string) => `Handed over on ${day}`,
  codeWasGiven: 'Already handed over',
  codeNotGiven: 'Not handed over yet',
  tax: 'Tax',

  reversedWhole: (merchant: string) => `The network reversed this payment. ${merchant} does not have the money.`,
  reversedWholeOn: (merchant: string, day: string) =>
    `The network reversed this payment on ${day}. ${merchant} does not have the money.`,
  reversedPart: (merchant: string) => `The network reversed this payment. ${merchant} does not have all of the money.`,
  reversedPartOn: (merchant: string, day: string) =>
    `The network reversed this payment on ${day}. ${merchant} does not have all of the money.`,
  tooMuch: (amount: string) => `You paid ${amount} too much.`,
  accepted: (amount: string, merchant: string) => `${amount} was paid, and ${merchant} accepted it.`,
};
