import { html } from 'hono/html';

export const pay = {
  ended: (merchant: string) => `This link is no longer active. Do not pay. Ask ${merchant} for a new one.`,
  soldOut: (merchant: string) => `Sold out. Do not pay. Ask ${merchant} when more will be available.`,
  between: (least: string, most: string) => `From ${least} to ${most}.`,
  amount: 'Amount',
  payAmount: (amount: string) => `Pay ${amount}`,
  halfAnHour: 'You will have half an hour to pay.',
  phone: 'Your number, if you want the code by text',
  codeComes: 'Once you have paid, your code will be on the next page.',
  fewLeft: (count: string) => html`<b>Only ${count} left.</b> First come, first served.`,

  qrCode: 'QR code with the address of the payment page',
  byMobileMoney: 'Pay by mobile money',
  scan: 'Scan this with your phone’s camera, or open',
  checkName: 'Check the name on your phone before you confirm with your PIN.',
};
