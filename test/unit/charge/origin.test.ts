import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isMatchedByName } from '../../../shared/money/charge/charge.table.ts';
import { Goods } from '../../../shared/money/charge/goods.ts';
import { cameWith, isOpenedByStranger, Origin } from '../../../shared/money/charge/origin.ts';

const slug = 'k7m2q9x4';
const till_id = 'till';
const table4 = { till: till_id, customer_note: 'Table 4' };

/** An example of each kind of origin, whether its charges can be matched by name, and its public details. */
const origins: { readonly [Kind in Origin['kind']]: [Extract<Origin, { kind: Kind }>, boolean, object] } = {
  api: [{ kind: 'api' }, true, {}],
  bundle: [{ kind: 'bundle', buyer_id: 'B' }, false, {}],
  dashboard: [{ kind: 'dashboard' }, true, {}],
  link: [{ kind: 'link', slug, note: 'Room 12' }, false, { link: slug, customer_note: 'Room 12' }],
  request: [{ kind: 'request', slug }, false, { request: slug }],
  sticker: [{ kind: 'sticker', slug, till_id, note: 'Table 4' }, false, { link: slug, ...table4 }],
  till: [{ kind: 'till', till_id, note: 'Table 4' }, true, table4],
};

test.each(Object.values(origins))(
  'the origin %o allows matching by name (%s) and has the details %o',
  (origin, byName, came) => {
    const stored = Origin.parse(origin);
    expect(stored).toEqual(origin);
    expect(isMatchedByName({ origin: stored, customer_name: 'Kofi Mensah' })).toBe(byName);
    expect(isOpenedByStranger({ origin: stored })).toBe(!byName);
    for (const customer_name of [undefined, '', 'Kofi'])
      expect(isMatchedByName({ origin: stored, customer_name })).toBe(false);
    expect(cameWith({ origin: stored })).toEqual(came);
  },
);

test.each([
  [Origin, { kind: 'link' }],
  [Origin, { kind: 'link', slug: 4 }],
  [Origin, { kind: 'sticker', slug }],
  [Origin, { kind: 'catalogue', slug }],
  [Origin, { kind: 4 }],
  [Origin, {}],
  [Origin, 'link'],
  [Origin, undefined],
  [Goods, { kind: 'code', state: 'lost' }],
  [Goods, { kind: 'counter', state: 'waiting' }],
  [Goods, { kind: 'take', state: 'given' }],
  [Goods, { kind: 'parcel', state: 'given' }],
  [Goods, {}],
])('an invalid charge origin is rejected (%#)', (schema, stored) => {
  expect(z.safeParse(schema, stored).success).toBe(false);
});
