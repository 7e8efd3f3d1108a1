import * as z from 'zod';
import { environment } from '../../shared/runtime/outside/environment.ts';

/**
 * Acts as a merchant's server: creates a charge, or cancels all open charges (`cancel`), and prints the answer.
 * Arguments: the API's URL and the action.
 */
const Page = z.object({ data: z.object({ transactions: z.array(z.object({ reference: z.string() })) }) });
const [baseUrl = '', what] = process.argv.slice(2);
const headers = { authorization: `Bearer ${environment('MOMO_LIVE_KEY')}`, 'content-type': 'application/json' };
if (what === 'cancel') await cancelAll();
else {
  const response = await post('initialize', { amount: 1 });
  console.log(response.status, await response.text());
}

async function cancelAll(): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/transaction?status=pending`, { headers });
  const { data } = Page.parse(await response.json());
  for (const { reference } of data.transactions) console.log(reference, (await post(`${reference}/cancel`, {})).status);
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/transaction/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
