import { expect, test } from 'vitest';
import { Merchant } from '../../../shared/merchants/merchant/merchant.ts';
import {
  auditedDifference,
  changesIn,
  type Setting,
  settingNames,
  settings,
  settingsForm,
} from '../../../shared/operations/settings/settings.ts';

const shop: Merchant = { merchant_id: 'shop', name: 'Ama', momo_accounts: [], created_at: '2026-01-01T00:00:00Z' };

/** Merchant fields that are not settings. */
const OTHERS = ['merchant_id', 'name', 'momo_accounts', 'logo', 'created_at', 'suspended_at'];

test('every merchant setting has a row', () => {
  const fields = Object.keys(Merchant.shape).filter((field) => !OTHERS.includes(field));
  expect(settingNames.map((name) => settings[name].field).toSorted()).toEqual(fields.toSorted());
});

test.each<[keyof typeof settings, string, unknown, string | number | null]>([
  ['default_from', '024 123 4567', '+233241234567', expect.not.stringContaining('241234')],
  ['pay_texts_per_day', '20', 20, 20],
  ['match_by_name_up_to', 'GHS 1,234.50', 1234_50, 1234.5],
  ['confirm_unproven_up_to', '0', 0, 0],
  ['new_wallet_daily_limit', '900', 900_00, 900],
  ['confirm_always_above', '49.99', 49_99, 49.99],
  ['text_receipts', 'on', true, 'on'],
  ['quiet_hours', '21:00-07:00', '21:00-07:00', '21:00-07:00'],
  ['answers', 'on', true, 'on'],
  ['stop_words', 'gyae, no more', ['GYAE', 'NO MORE'], 'GYAE, NO MORE'],
])('the %s setting is parsed and recorded in the audit log', (name, typed, stored, audited) => {
  const { field, read, written }: Setting = settings[name];
  expect(read.parse(typed)).toEqual(stored);
  const after = { ...shop, [field]: stored };
  expect(read.parse(written(after))).toEqual(stored);
  expect(auditedDifference(shop, after)?.after).toEqual({ [name]: audited });
});

test('the audit log does not contain contact details', () => {
  const after = { ...shop, contact: '+233241234567' };
  expect(auditedDifference(shop, after)).toEqual({ before: {}, after: { contact: 'changed' } });
  expect(auditedDifference(after, shop)).toEqual({ before: {}, after: { contact: 'removed' } });
});

test('an empty form field clears an optional setting', () => {
  const names = ['contact', 'answers', 'match_by_name_up_to'] as const;
  const form = settingsForm(names);
  expect(form.safeParse({}).error?.issues.map(({ path }) => path)).toEqual([['match_by_name_up_to']]);
  const changes = changesIn(names, form.parse({ match_by_name_up_to: '5' }));
  expect(changes).toEqual({ contact: null, answers: null, match_by_name_up_to_pesewas: 5_00 });
});
