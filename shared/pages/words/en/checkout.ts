import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

export const checkout = {
  titles: {
    pending: (payment: string) => `Pay ${payment}`,
    success: (payment: string) => `Paid: ${payment}`,
    look: (payment: string) => `Not verified yet: ${payment}`,
    expired: (payment: string) => `Expired: ${payment}`,
    cancelled: (payment: string) => `Cancelled: ${payment}`,
    reversed: (payment: string) => `Reversed: ${payment}`,
    refunded: (payment: string) => `Refunded: ${payment}`,
    counter: (payment: string) => `Paid at the counter: ${payment}`,
  },
  showAll: 'Show all',
  showLess: 'Show less',
  qrCode: 'QR code with the address of this page',
  onYourPhone: 'Pay on your phone',
  scan: 'Scan this with your phone’s camera to open this page. It is not a MoMo QR code.',

  part: (amount: string, isUnverified: boolean) => `${amount} ${isUnverified ? 'not verified yet' : 'arrived'}`,
  ofWhole: (whole: string, part: string) => `of ${whole} still due (${part})`,

  // The status bar below the amount.
  checking: 'Checking a payment message…',
  partArrived: (part: string, missing: string) => `${part}, ${missing} still due`,
  waiting: 'Waiting for payment…',
  payBy: (time: Markup) => html`Pay by ${time}`,
  received: 'Payment received',
  unverified: 'Payment not verified yet',
  expired: 'This link has expired',
  expiredOn: (time: Markup) => html`It expired on ${time}`,
  cancelled: 'Bill cancelled',
  reversed: 'Payment reversed',
  atCounter: 'Paid at the counter',
  nothingLeft: 'There is nothing left to pay.',

  // Payment instructions.
  payWith: (network: string) => `Pay with ${network}`,
  whichNetwork: 'Which network are you paying from?',
  dialThis: 'Copy the reference in step 3. Then dial, and choose to send money',
  dial: (code: string) => `Dial ${code}`,
  sendExactly: (amount: Markup) => html`Send exactly ${amount} to`,
  sendMissing: (amount: Markup) => html`Send the remaining ${amount} to`,
  typeReference: 'Type this in the reference field',
  digitsEnough: 'The ten digits are enough. Anyone paying for you needs them too.',
  checkName: (name: Markup) => html`Check that your phone shows ${name}, and confirm with your PIN`,
  turnsGreen: 'This page changes when the payment arrives.',
  fromFirst: (networks: string, code: string) => `From ${networks}: dial ${code}`,
  fromNext: (networks: string, code: string) => `from ${networks}: ${code}`,
  fromOne: (way: string, network: string) => `${way} and send to ${network} number.`,
  fromSeveral: (ways: string, network: string) => `${ways}, and send to ${network} number.`,
  or: ' or ',
  acrossNetworks: (merchant: string, payer: string, network: string) =>
    `${merchant} has no ${payer} number. In the menu, choose to send to another network. Send to the ${network} number below, with the reference.`,
  checkAgain: 'Check again',
  backTo: (shop: string) => `Back to ${shop}`,
  copy: 'Copy',
  copyNumber: 'the number',
  copyReference: 'the reference',
  copyCode: 'the code',
  copyOf: (code: string) => `Copy ${code}`,
  copied: (what: string) => `${what} copied`,
  codeCopied: 'Code copied',

  // Shown while a receipt is being checked.
  payIfNot: 'If you have not paid yet, pay now.',
  waitForGreen: 'If you have paid, wait until this page turns green.',
  havePaid: (merchant: string, reference: Markup) =>
    html`Have you paid? Show ${merchant} the payment message from your network and the reference ${reference}.`,

  // Shown after payment.
  thankYou: 'Thank you',
  hasReceived: (merchant: string) => `${merchant} has received your payment.`,
  overpaid: (amount: Markup, merchant: string) => html`You paid ${amount} too much. Ask ${merchant} to send it back.`,
  wasSentBack: (amount: string) => `${amount} was sent back`,
  notReached: (merchant: string) => `If it has not reached you, contact ${merchant}.`,
  goOn: 'Continue',
  takingBack: (shop: string) => `Taking you back to ${shop}…`,
  canClose: 'You can close this page.',
  inTheShop: 'In the shop? Show this page to the seller.',
  comeBack: 'Keep this page open, or open it again later.',
  paidTo: 'Paid to',
  amount: 'Amount',
  time: 'Time',
  reference: 'Reference',
  receipt: 'Receipt to print or keep',
  printDetails: 'Print these details',
  shareReceipt: 'Share receipt',
  sharedTest: 'TEST.',
  sharedPayment: (amount: string, merchant: string) => `${amount} paid to ${merchant}.`,
  sharedPaymentOn: (amount: string, merchant: string, day: string) => `${amount} paid to ${merchant} on ${day}.`,
  sharedReference: (reference: string) => `Reference ${reference}.`,
  sharedId: (name: string, id: string) => `${name} ${id}.`,

  // Shown with a stock code sold through a payment link.
  yourCode: 'Your code',
  keepCode: 'Write it down or copy it. Anyone who has it can use it.',
  codeSoon: 'Your code is on its way.',
  codesUsedUp: (merchant: string) => `There are no codes left. We have let ${merchant} know. The next code is yours.`,
  codeChecked: (merchant: string) => `${merchant} has to check your payment before you get your code.`,
  keepAddress: 'Save the link to this page. Your code will appear here.',

  // Shown after the charge has ended.
  newLink: (merchant: string) => `Ask ${merchant} for a new link`,
  cancelledBy: (merchant: string) => `${merchant} has cancelled this bill`,
  doNotSend: 'Please do not pay this bill. Your payment would not count.',
  aPayment: 'A payment',
  lateArrived: (amount: Markup, time: Markup) => html`${amount} arrived too late, on ${time}.`,
  askToCount: (merchant: string) => `Ask ${merchant} to accept it.`,
  partHadArrived: (amount: Markup, merchant: string) =>
    html`${amount} arrived, which was too little. Ask ${merchant} to accept it or send it back.`,
  havePaidAlready: (merchant: string, reference: Markup) =>
    html`Have you paid already? Show ${merchant} the payment message from your network and the reference ${reference}.`,
  tookAtTill: (merchant: string) =>
    `The cashier at ${merchant} has taken your payment. Please do not send money again.`,
  noReceipt: (reference: Markup) =>
    html`This page is not a receipt. Are you still waiting for your goods? Show the cashier the payment message from your network and the reference ${reference}.`,
  networkReversed: 'The network reversed this payment',
  reversedBy: (amount: string, merchant: string, network: string) =>
    `${amount} reached ${merchant}, but ${network} reversed it. ${merchant} does not have the money.`,
  onlyRemains: (amount: string) => `Only ${amount} remains.`,
  askHowToPay: (merchant: string, reference: Markup) =>
    html`Ask ${merchant} how to pay. Show them the reference ${reference}.`,
  suspended: {
    title: 'This shop is not taking payments now',
    text: 'Do not pay. If you have paid already, your payment is not lost. Contact the shop.',
  },

  // The form for claiming a payment that was not recognised.
  nothingHappens: 'I have paid but nothing happened',
  backToWaiting: 'Back to waiting for the payment',
  idFromText: (id: Markup) => html`Type or paste the ${id} from the payment message, and the name on your wallet.`,
  idInText: 'transaction ID',
  transactionId: 'Transaction ID',
  payerName: 'Name on the wallet that paid',
  check: 'Check',
  stillNot: 'Still not confirmed?',
  otherNetworkId: (merchant: string) => `If you paid from another network, ${merchant} sees a different ID.`,
  typeNumberInstead: 'Instead, use the form above to type the number the payment came from.',
  otherwiseAsk: (merchant: string, reference: Markup) =>
    html`Otherwise, contact ${merchant}. Show them the payment message from your network and the reference ${reference}. Do not pay again.`,
  fromAnother: 'Paid from another network?',
  typeNumber: (network: string, merchant: string) =>
    `Type the number the payment came from. If ${network} reported the payment to ${merchant}, we will text that number a code.`,
  notWithin: (network: string) => `This does not work if you paid from ${network} to ${network}.`,
  numberThatPaid: 'Number the payment came from',
  textCode: 'Text a code',
  codeFromText: 'Code from the text',
  confirm: 'Confirm',
  codeIsValid: 'The code is valid for ten minutes. Do not share it.',

  // The text with payment instructions.
  textMeThis: 'Text me this',
  whyText: (merchant: string) =>
    `This page is hidden while you dial. ${merchant} can text you the number, the amount and the reference.`,
  yourNumber: 'Your number',
  textMe: 'Text me',
  textOnItsWay:
    'If we can text this number now, the text is on its way. If it does not arrive within a minute, write down the details.',
  noTextNow: 'We cannot text you now. Write down the number, the amount and the reference.',
  theShop: 'The shop',
  text: ({ shop, amount, to, digits }: { shop: string; amount: string; to: string; digits: string }) =>
    `${shop}: send ${amount} to ${to}. Reference: ${digits}. Check the name before your PIN.`,

  // Validation errors.
  typeMobile: 'Type a mobile number, such as 020 987 6543.',
  typeNumberThatPaid: 'Type the number the payment came from.',
  typeNumberAsOnPhone: 'Type the number the payment came from, such as 020 987 6543.',
  typeSixDigits: 'Type the six digits from the text.',
  wrongCode: 'This code is wrong or no longer valid. Check it, or ask for a new one.',
  codeTexted: (merchant: string, amount: string) =>
    `If the network shows ${amount} from this number, we have texted it a code. If the code does not arrive, contact ${merchant}.`,
  typeId: 'Type the transaction ID from the payment message that your network sent you.',
  whereIdIs: (form: string) => `${form}. Look for the ID in the payment message that your network sent you.`,
  typeName: 'Type the name on your wallet.',
  typeFullName: 'Type two to four of the names on your wallet, each in full.',
  notFound: (merchant: string) =>
    `We cannot confirm a payment with this ID, name and amount. Check all three. If you paid just now, wait a minute and try again. If all three are right, contact ${merchant}. A payment that arrived is not lost.`,
  notById: (merchant: string, reference: string) =>
    `A transaction ID is not enough for credits. Paid from another network? Type the number the payment came from, and we will text that number a code. Otherwise, show ${merchant} your network’s text and the reference ${reference}.`,
  chargeExpired: 'This link has expired. Ask the shop for a new one.',
  chargeCancelled: 'The shop has cancelled this bill. Contact the shop.',
  chargeReversed: 'The network reversed this payment. Contact the shop.',
  tooMany: (wait: string) => `Too many attempts. Wait ${wait} and try again.`,
  paused: (merchant: string, wait: string) =>
    `We could not check your payment. There were too many wrong attempts for a payment like yours. If you have paid, your payment is not lost. Contact ${merchant}, or wait ${wait} and try again.`,
  aMinute: 'a minute',
  minutes: (count: string) => `${count} minutes`,

  // Buttons for a test charge.
  whatHappens: 'Test: what happens next?',
  outcomes: {
    paid: 'Paid',
    underpaid: 'Underpaid',
    overpaid: 'Overpaid',
    paid_twice: 'Paid twice',
    held: 'To check',
    disputed: 'Disputed',
    reversed: 'Reversed',
    expired: 'Expired',
  },
  paidAgain: 'Paid again',

  /** Used by `checkout.js`, which fills in `{h}`, `{min}` and `{s}`. */
  script: {
    failed: 'The connection failed. Try again.',
    continues: 'This page will continue when you are back online.',
    timeIsUp: 'Time is up',
    hoursLeft: '{h} hours left to pay',
    minutesLeft: '{min} min left to pay',
    secondsLeft: '{min} min {s} s left to pay',
    copied: 'Copied',
    notCopied: 'Failed',
    copyingFailed: 'Copying failed',
    receiptCopied: 'Receipt copied',
    notHere: 'We checked just now. The payment has not arrived yet.',
    offline: 'You are offline',
  },
};
