import { html } from 'hono/html';
import * as z from 'zod/mini';
import { type ApiKey, KEY_CACHE_SECONDS } from '../../../merchants/merchant/api-key.table.ts';
import { defaultRequestsPerSecond, requestsPerSecondOf } from '../../../merchants/merchant/api-key.ts';
import { changeKeyRate, isValid, requireKey } from '../../../merchants/merchant/manage-keys.ts';
import { BURST_SECONDS } from '../../../runtime/http/middleware/limit-rate.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { kindNames } from '../developers/key-kind.ts';
import { keyState, lastUse, shownKey } from '../developers/keys.ts';
import type { Html } from '../html.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { facts, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { writesOnce } from '../writes-once.ts';
import { merchantAddress } from './addresses.ts';
import { wholeNumber } from './whole-number.ts';

export const RateForm = z.object({ rate: wholeNumber(1) });

type OfKey<Form = undefined> = PersonVisit<'id' | 'hint', Form>;

/** The keys that are accepted, and how many requests each may make. */
export function keysSection(outside: Pick<Outside, 'now'>, merchantId: string, keys: readonly ApiKey[]): Html {
  const rows = keys
    .filter((key) => isValid(outside, key))
    .map((key) => ({
      href: addressOf(merchantId, key.hint),
      cells: [shownKey(key), kindNames[key.kind], lastUse(outside, key), String(requestsPerSecondOf(key))],
    }));
  const columns = [{ name: 'Key' }, { name: 'For' }, { name: 'Last used' }, { name: 'A second', isNumber: true }];
  return section(
    'Rates of its keys',
    rows.length > 0
      ? table('Keys, and the requests that each may make in a second', columns, rows)
      : html`<p class="hint">It has no key. Its people make them at Developers.</p>`,
  );
}

export async function showKeyRate(visit: OfKey, outside: Outside): Promise<Shown> {
  const { id, hint } = visit.path;
  const key = await requireKey(outside, id, hint);
  const rate = {
    path: '/{id}/keys/{hint}/rate',
    action: `${addressOf(id, key.hint)}/rate`,
    submit: 'Set the rate',
  };
  return {
    title: `Key …${key.hint}`,
    main: html`${section(
      'About it',
      facts([
        ['Key', shownKey(key)],
        ['State', keyState(outside, key)],
        ['For', kindNames[key.kind]],
        ['Last used', lastUse(outside, key)],
      ]),
    )}
${section(
  'Rate',
  form(visit, rate, (filled) =>
    field(filled, {
      name: 'rate',
      label: 'Requests a second',
      value: String(requestsPerSecondOf(key)),
      inputMode: 'numeric',
      hint: `And ${BURST_SECONDS} seconds’ worth of them at once. Without a setting: ${defaultRequestsPerSecond(key.merchant_id)}. It holds everywhere within ${KEY_CACHE_SECONDS} seconds.`,
      isRequired: true,
    }),
  ),
)}
<p><a href="${merchantAddress(id)}">Back to the merchant</a></p>`,
  };
}

/** What `key set --rate` does. */
export async function setKeyRate(visit: OfKey<z.infer<typeof RateForm>>, outside: Outside): Promise<Going> {
  const { path, form, user } = visit;
  const key = await requireKey(outside, path.id, path.hint);
  const { hint } = key;
  const going = {
    goTo: merchantAddress(path.id),
    notice: `The key that ends in ${hint} may make ${counted(form.rate, 'request')} a second.`,
  };
  if (requestsPerSecondOf(key) === form.rate) return going;
  const entry = {
    ...{ merchant_id: path.id, by: user.user_id, action: 'key set', about: hint },
    ...{ before: { rate: requestsPerSecondOf(key) }, after: { rate: form.rate } },
  };
  await changeKeyRate(writesOnce(outside, visit, going, entry), path.id, hint, form.rate);
  return going;
}

function addressOf(merchantId: string, hint: string): string {
  return `${merchantAddress(merchantId)}/keys/${hint}`;
}
