import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

export const request = {
  customer: (name: Markup) => html`For ${name}`,
  paidInFull: 'Paid in full. Thank you.',
  cancelled: (merchant: string) => `${merchant} has cancelled this request. Do not pay.`,

  items: (currency: string) => `What it is for, in ${currency}`,
  each: { week: 'Each week', month: 'Each month' },
  total: 'Total',
  totalOf: (times: string) => `Total of ${times} payments`,
  paid: 'Paid',
  paidOf: (amount: string, total: string) => `${amount} paid of ${total}`,
  stillToPay: 'Still to pay',
  nextPart: 'Next part to pay',
  toPayNow: 'To pay now',
  dueOn: (day: string) => `Due ${day}`,
  nextDueOn: (day: string) => `Next due ${day}`,
  overdueSince: (day: string) => `Overdue since ${day}`,
  notVerified: 'Not verified yet',
  beingChecked: 'Being checked',
  paidNotVerified: 'Paid, not verified yet',

  moreThanAsked: (amount: string, merchant: string) => `${amount} too much was paid. Ask ${merchant} to send it back.`,
  toBeSentBack: (amount: string, merchant: string) =>
    `${merchant} plans to send ${amount} back. It has not been sent yet.`,
  messageIsChecked: (merchant: string) =>
    `A payment message for this request arrived; ${merchant} is checking it. Before you pay again, ask ${merchant}.`,
  sentBack: (amount: string, merchant: string) => `${merchant} has sent ${amount} back.`,
  paidAgain: (amount: string, merchant: string) =>
    `${amount} was paid for something already paid. It does not count here. Ask ${merchant} to send it back.`,
  late: (amount: string, merchant: string) =>
    `${amount} arrived too late. It does not count here yet. Before you pay again, ask ${merchant} to accept it.`,
  ahead: (amount: string) => `${amount} was paid early. It counts towards what is due next.`,
  aheadNotVerified: 'This payment is not verified yet.',
  nextToPay: (day: string) => `The next payment is due on ${day}.`,

  payAnyway: 'Pay anyway',
  amountNow: 'Amount to pay now',
  mayPayPart: 'You can pay part of it.',

  instalments: 'Instalments',
  instalmentsIn: (currency: string) => `Instalments, in ${currency}`,
  due: 'Due',
  amount: 'Amount',
  state: 'State',
  partPaid: (amount: string) => `${amount} paid`,
  partOverdue: (amount: string) => `${amount} paid, rest overdue`,
  overdue: 'Overdue',
  notPaid: 'Not paid yet',
  payments: 'Payments',
  paymentsIn: (currency: string) => `Payments, in ${currency}`,
  receipt: 'Receipt',
  details: 'Details',
  page: 'Page',
  paperOf: (paper: string, reference: string) => `${paper} for ${reference}`,
};
