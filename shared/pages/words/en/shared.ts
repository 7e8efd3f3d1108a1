import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

export const shared = {
  testTitle: (title: string) => `TEST: ${title}`,
  errorTitle: (title: string) => `Error: ${title}`,
  amountTo: (amount: string, merchant: string) => `${amount} to ${merchant}`,
  test: 'TEST',
  noMoneyMoves: 'No money moves on this page',
  requestId: (id: string) => `Request ${id}`,
  print: 'Print',
  pay: 'Pay',
  howToPay: 'By mobile money, from any network. The next page shows the number to pay and the reference to type.',
  safe: (merchant: string) => `You pay ${merchant} directly from your wallet. This page never asks for your PIN.`,
  /** Only systems certified by the GRA may issue VAT invoices (docs/operate/law.md). */
  noInvoice: 'Not a VAT invoice',
  notTaking: 'This shop is not taking payments now. Do not pay.',
  doNotPayAgain: 'Do not pay again.',

  unknown: {
    title: 'This payment link does not exist',
    text: 'The link may be incomplete. Open it exactly as you received it, or ask the shop for a new one.',
  },
  tooMany: {
    title: 'One moment',
    text: 'Too many people are on this page at once. Wait a minute, then open it again.',
  },
  refused: { title: 'That did not work', text: 'We could not read the form. Go back and try again.' },
  failed: {
    title: 'Something went wrong on our side',
    text: 'Wait a moment and open this page again. If you have already paid, do not pay again. Your payment is not lost.',
  },

  whatsApp: 'Ask on WhatsApp',
  whatsAppNumber: (number: string) => `WhatsApp ${number}`,
  whatsAppText: (reference: string) => `Hello, I have a question about my payment with the reference ${reference}.`,
  mailTo: (address: string) => `Write to ${address}`,
  mailSubject: (reference: string) => `My payment ${reference}`,
  call: (number: string) => `Call ${number}`,

  sentBack: (amount: string, day: string) => `${amount} was sent back on ${day}.`,
  itWasSentBack: (day: string) => `The money was sent back on ${day}.`,
  second: 'A second payment arrived',
  more: 'More payments arrived',
  idOf: (network: string, id: Markup) => html`${network} ID ${id}`,
  askForExtra: (merchant: string, reference: Markup) =>
    html`This money is extra. Ask ${merchant} to send it back. Show them the payment message from your network and the reference ${reference}.`,
};
