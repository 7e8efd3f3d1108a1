import { html } from 'hono/html';
import type { Answer } from '../runtime/http.ts';
import type { Outside } from '../runtime/outside.ts';
import { ghsOf } from '../transaction/money.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';

/** What a customer sees: whom to pay, how much, and to which number. */
export async function checkoutPage(outside: Outside, transaction: Transaction): Promise<Answer> {
  const amount = ghsOf(transaction.amount_pesewas).toLocaleString('en-GH', { minimumFractionDigits: 2 });
  const body = await html`
    <h1>${transaction.merchant_name}</h1>
    ${transaction.description && html`<p>${transaction.description}</p>`}
    <p>GHS ${amount}</p>
    <p>Pay to ${transaction.momo_number} (${transaction.momo_network}, ${transaction.momo_account_name})</p>
    <p>Reference: ${transaction.reference}</p>
    <p>${statusOf(outside, transaction)}</p>`;
  return page(200, `Pay ${transaction.merchant_name}`, body);
}

export async function unknownPage(): Promise<Answer> {
  const body = await html`<h1>No such payment</h1><p>Check the address, or ask the shop for a new link.</p>`;
  return page(404, 'No such payment', body);
}

async function page(statusCode: number, title: string, body: unknown): Promise<Answer> {
  const text = await html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
  <body>${body}</body>
</html>`;
  return {
    statusCode,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: text.toString(),
  };
}
