import { environment } from '../../shared/runtime/outside/environment.ts';

/*
 * As a merchant's server: creates a charge, or cancels one. Arguments: the address of the API, and the reference of the one to cancel. It
 * says how it was answered.
 */
const [baseUrl = '', reference] = process.argv.slice(2);
const response = await fetch(`${baseUrl}/api/v1/transaction/${reference ? `${reference}/cancel` : 'initialize'}`, {
  method: 'POST',
  headers: { authorization: `Bearer ${environment('MOMO_LIVE_KEY')}`, 'content-type': 'application/json' },
  body: JSON.stringify(reference ? {} : { amount: 1 }),
});
console.log(response.status, await response.text());
