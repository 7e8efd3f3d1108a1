import { describe, expect, test } from 'vitest';
import { manifest, queues } from '../../../functions/manifest.ts';
import { rights } from '../../../functions/rights.ts';
import { idOf } from '../../../shared/runtime/stage/names.ts';
import { completeRows } from '../../../shared/runtime/triggers/complete-row.ts';
import { tableActions } from '../../../shared/runtime/triggers/row.ts';
import { checkEach } from '../../support/check-each.ts';
import { exampleOf, matches } from '../../support/grants.ts';
import { type Resource, synthesise } from './synthesise.ts';

// Evaluates the policies as IAM does.

const dev = synthesise();
const rows = completeRows(manifest, rights);
const roles = new Map<string, Resource>(
  rows.map(([name]) => {
    const { Properties } = dev.the('AWS::Lambda::Function', `momo-kiosk-dev-${idOf(name)}`);
    return [name, dev.resource(Properties.Role)];
  }),
);
const writes = ['PutItem', 'UpdateItem', 'DeleteItem'] as const;
/** An example of each partition key pattern. */
const partitions = [...new Set(rows.flatMap(([, { table }]) => Object.values(table).flat().map(exampleOf)))];

describe('a function', () => {
  test.each(tableActions)('may %s only in the partitions listed in its row', (action) =>
    checkEach(rows, ([name, { table }]) => {
      const expected = partitions.filter((key) => table[action]?.some((pattern) => matches(pattern, key)));
      expect(partitions.filter((key) => permits(name, action, [key]))).toEqual(expected);
    }),
  );

  test('may write all of its partitions in one transaction', () =>
    checkEach(rows, ([name, { table }]) => {
      const keys = writes.flatMap((action) => table[action] ?? []).map(exampleOf);
      const actions = writes.filter((action) => table[action]);
      expect(actions.filter((action) => !permits(name, action, keys))).toEqual([]);
    }));
});

test('an action that a function may not perform is also denied in transactions', () => {
  expect(permits('sms/send', 'PutItem', ['CREDITS#m'])).toBe(false);
  expect(permits('sms/send', 'DeleteItem', ['SEND#1', 'CREDITS#m'])).toBe(false);
  expect(permits('sms/send', 'PutItem', ['SEND#1', 'TRANSACTION#MK-1'])).toBe(false);
});

describe('permissions without leading keys', () => {
  const off = synthesise({ leadingKeys: 'off' });

  test('have no condition', () =>
    checkEach(rows, ([name]) => {
      const grants = (template: typeof dev) => {
        const { Properties } = template.the('AWS::Lambda::Function', `momo-kiosk-dev-${idOf(name)}`);
        return template.grantsOf(template.resource(Properties.Role));
      };
      const bare = new Set(grants(dev).map((line) => line.replace(/ of .*$/, '')));
      expect(grants(off)).toEqual([...bare].sort());
    }));

  test('are otherwise unchanged', () => {
    const others = (template: typeof dev) =>
      Object.entries(template.resources).map(([id, { Type, Properties }]) => {
        const { Policies: _, ...rest } = Properties;
        return [id, Type, Type === 'AWS::IAM::Policy' ? undefined : rest];
      });
    expect(others(off)).toEqual(others(dev));
    const documents = off.all('AWS::IAM::Role').flatMap((role) => off.policiesOf(role));
    expect(documents.length).toBeGreaterThan(50);
    expect(JSON.stringify(documents)).not.toContain('"Condition":');
    expect(off.outputs).toEqual({ ...dev.outputs, LeadingKeys: 'off' });
  });
});

describe('permissions for sensitive data', () => {
  const MONEY = 'dashboard/operator-money';
  const SETTLING = ['dashboard/today', 'work/settle-receipt', 'work/housekeeping'];

  test('limit the creation of charges, balances and merchants', () => {
    expect(whoMay('PutItem', 'TRANSACTION#MK-1')).toEqual([
      ...['transaction/initialize', 'pay/open', 'r/open', 'sms/buy-credits', 'dashboard/charges', 'dashboard/till'],
      'dashboard/texts',
    ]);
    expect(whoMay('PutItem', 'SENDER')).toEqual(['dashboard/operator-phones']);
    for (const key of ['MERCHANT#m', 'MOMO#+233241234567'])
      expect(whoMay('PutItem', key)).toEqual(['dashboard/settings', 'dashboard/operator-money']);
    expect(whoMay('PutItem', 'CREDITS#m')).toEqual([]);
  });

  test('allow only the dashboard to change keys', () => {
    expect(whoMay('PutItem', 'KEY#hash')).toEqual(['dashboard/developers']);
    expect(whoMay('UpdateItem', 'KEY#hash')).toEqual([
      'dashboard/settings',
      'dashboard/developers',
      MONEY,
      'work/follow-up',
    ]);
    expect(whoMay('DeleteItem', 'KEY#hash')).toEqual([]);
    expect(whoMay('PutItem', 'KEY_USE#hash')).toContain('sms/send');
  });

  test('limit reading of wallet notices', () => {
    // `work/repair` is the doctor, which has no public endpoint. Notifications show the wallet notice.
    const notifying = ['work/deliver-push', 'work/run-follow-up'];
    expect(whoReads('WALLET#MTN#+233241234567')).toEqual(['dashboard/today', ...notifying, 'work/repair']);
    for (const worker of notifying)
      for (const action of ['BatchGetItem', 'Query', ...writes])
        expect(permits(worker, action, ['WALLET#MTN#+233241234567']), `${worker} ${action}`).toBe(false);
    expect(whoMay('PutItem', 'WALLET#MTN#+233241234567')).toEqual(SETTLING);
  });

  test('allow only the sign-in function to create sessions', () => {
    for (const key of ['SESSION#u', 'PASSKEY#u', 'CHALLENGE#hash'])
      expect(whoMay('PutItem', key)).toEqual(['dashboard/sign-in']);
    expect(whoMay('PutItem', 'INVITATION#u')).toEqual(['dashboard/settings', 'dashboard/operator-money']);
    // Cashiers who sign in with a PIN need no invitation.
    expect(whoMay('PutItem', 'USER#u')).toEqual(['dashboard/settings', 'dashboard/shared-phones', MONEY]);
    expect(whoMay('UpdateItem', 'SESSION#u')).toEqual(['dashboard/sign-in']);
    expect(whoMay('PutItem', 'SHARED_PHONE#m')).toEqual(['dashboard/shared-phones']);
    const changing = ['dashboard/sign-in', 'dashboard/settings', 'dashboard/shared-phones'];
    expect(whoMay('UpdateItem', 'SHARED_PHONE#m')).toEqual(changing);
  });

  test('allow only the sending function to read the private push key', () => {
    expect(whoReads('PUSH_KEY#private')).toEqual(['work/deliver-push']);
    expect(whoMay('PutItem', 'PUSH_KEY#private')).toEqual(['dashboard/app']);
    for (const action of ['UpdateItem', 'DeleteItem'])
      for (const half of ['public', 'private']) expect(whoMay(action, `PUSH_KEY#${half}`)).toEqual([]);
  });

  test('allow the notification worker to write only devices and the pace of notifications', () => {
    const showing = rows.filter(([name, row]) => row.on === 'queue' && permits(name, 'GetItem', ['PUSH_KEY#private']));
    const written = showing.map(([name]) =>
      partitions.filter((key) => writes.some((action) => permits(name, action, [key]))).map((key) => key.split('#')[0]),
    );
    expect(written.map((names) => names.toSorted())).toEqual([['DEVICES', 'PUSH_PACE']]);
    // Each queue has its own worker.
    const served = rows.flatMap(([, row]) => (row.on === 'queue' ? [row.queue] : []));
    expect(served.toSorted()).toEqual(Object.keys(queues).toSorted());
  });

  test('allow only the worker that sends texts to read a text with a code', () => {
    expect(whoReads('CODE_TEXT#s')).toEqual(['work/deliver-sms']);
    expect(whoMay('PutItem', 'CODE_TEXT#s')).toEqual(['verify/start', 'work/run-follow-up']);
    expect(whoReads('VERIFICATION#s')).toEqual(['verify/check']);
    expect(whoMay('PutItem', 'VERIFICATION#s')).toEqual(['verify/start']);
    for (const key of ['VERIFICATION_NUMBER#m#+233241234567', 'VERIFICATION_DAY#m']) {
      expect(whoMay('UpdateItem', key)).toEqual(['verify/start', 'verify/check']);
      for (const action of ['PutItem', 'DeleteItem']) expect(whoMay(action, key)).toEqual([]);
    }
  });

  test('limit reading of stock codes', () => {
    const readers = ['link/add-codes', 'checkout/page', 'dashboard/links', 'work/run-follow-up'];
    expect(whoReads('LINK_CODES#k7m2q9x4')).toEqual(readers);
    expect(whoMay('PutItem', 'LINK_CODES#k7m2q9x4')).toEqual(['link/create', 'link/add-codes', 'dashboard/links']);
    for (const action of ['UpdateItem', 'DeleteItem']) expect(whoMay(action, 'LINK_CODES#k7m2q9x4')).toEqual([]);
  });

  test('do not allow audit entries to be changed or deleted', () => {
    for (const action of ['UpdateItem', 'DeleteItem']) expect(whoMay(action, 'AUDIT#m#2026-11')).toEqual([]);
  });

  test('allow only the stream worker to write bookings', () => {
    expect(whoMay('PutItem', 'BOOKING#m#2026-11-20')).toEqual(['work/follow-up']);
    expect(whoMay('PutItem', 'TOTALS#m')).toEqual(['work/housekeeping']);
    for (const action of ['UpdateItem', 'DeleteItem'])
      for (const key of ['BOOKING#m#2026-11-20', 'TOTALS#m']) expect(whoMay(action, key)).toEqual([]);
  });

  test('limit access to wallet balances', () => {
    for (const action of ['PutItem', 'DeleteItem']) {
      expect(whoMay(action, 'CHAIN#MTN#+233241234567')).toEqual(SETTLING);
    }
    expect(whoReads('CHAIN#MTN#+233241234567')).toEqual([
      ...['checkout/claim', 'checkout/ask-for-code', 'checkout/confirm-code', 'wallet/list', 'dashboard/today'],
      ...['dashboard/till', 'dashboard/settings', 'dashboard/operator-phones', 'work/settle-receipt'],
      ...['work/housekeeping', 'work/repair'],
    ]);
  });

  test('allow a customer’s claim to change a charge', () => {
    expect(permits('checkout/claim', 'UpdateItem', ['TRANSACTION#MK-1'])).toBe(true);
    expect(permits('checkout/claim', 'PutItem', ['TRANSACTION#MK-1'])).toBe(false);
  });

  test('allow a phone’s callback to refund credits', () => {
    expect(permits('callback/smsgate', 'UpdateItem', ['CREDITS#m'])).toBe(true);
    expect(permits('callback/smsgate', 'PutItem', ['CREDITS#m'])).toBe(false);
  });

  test('allow a forwarding app’s callback to store a text', () => {
    expect(permits('callback/forwarder', 'PutItem', ['PHONE_EVENT#forwarder#till#1'])).toBe(true);
    expect(permits('callback/forwarder', 'UpdateItem', ['OPT_OUT#m'])).toBe(true);
    for (const partition of ['CREDITS#m', 'SEND#1', 'RECEIPT#1', 'TRANSACTION#MK-1'])
      for (const action of ['PutItem', 'UpdateItem', 'GetItem'] as const)
        expect(permits('callback/forwarder', action, [partition])).toBe(false);
  });

  test('limit reading of webhook secrets', () => {
    expect(whoReads('WEBHOOK#m')).toEqual([
      ...['webhook/set', 'webhook/show', 'webhook/roll-secret', 'webhook/test', 'dashboard/today'],
      ...['dashboard/developers', 'work/follow-up', 'work/deliver-webhook', 'work/repair'],
    ]);
  });

  test('allow a route’s stored responses to be read only by the route itself', () => {
    expect(whoReads('IDEMPOTENCY#m#POST /api/v1/webhook/secret#hash')).toEqual(['webhook/roll-secret']);
  });

  test.each(['test/simulate', 'checkout/simulate'])('allow %s to create only test payments', (name) => {
    for (const key of ['RECEIPT#MTN-233001234560-TEST62841953770', 'PAYMENT#MTN#TEST62841953770'])
      expect(permits(name, 'PutItem', [key])).toBe(true);
    for (const key of ['RECEIPT#MTN-233241234567-62841953770', 'PAYMENT#MTN#62841953770', 'TRANSACTION#MK-1'])
      expect(permits(name, 'PutItem', [key])).toBe(false);
    expect(permits(name, 'DeleteItem', ['PAYMENT#MTN#62841953770'])).toBe(false);
  });

  test('limit deletions to the listed partitions', () => {
    const deletes = rows.flatMap(([name, { table }]) => (table.DeleteItem ? [[name, table.DeleteItem] as const] : []));
    const partitions = new Set(deletes.flatMap(([, keys]) => keys.map((key) => key.replace(/#?\*.*/, ''))));
    expect([...partitions].sort()).toEqual(Object.keys(DELETED).sort());
    expect(Object.fromEntries(deletes)).toEqual({
      'callback/smsgate': ['CODE_TEXT#*'],
      'checkout/claim': ['PAYMENT#*'],
      'checkout/confirm-code': ['PAYMENT#*'],
      'checkout/simulate': ['RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'REFUND#*'],
      'contact/remove': ['CONTACT#*'],
      'dashboard/app': ['DEVICES#*'],
      'dashboard/charges': ['PAYMENT#*', 'REFUND#*', 'LINK_WAIT#*'],
      'dashboard/customers': ['CONTACT#*'],
      'dashboard/developers': ['WEBHOOK#*'],
      'dashboard/held': ['PAYMENT#*'],
      'dashboard/operator-money': ['MOMO#*', 'PAYMENT#*'],
      'dashboard/operator-phones': ['SENDER'],
      'dashboard/sign-in': ['SESSION#*', 'PASSKEY#*', 'CHALLENGE#*', 'INVITATION#*', 'DEVICES#*'],
      'dashboard/settings': ['SESSION#*', 'PASSKEY#*', 'INVITATION#*', 'DEVICES#*', 'MOMO#*', 'CHANGE#*', 'LOGO#*'],
      'dashboard/shared-phones': ['SHARED_PHONE#*'],
      'dashboard/till': ['PAYMENT#*'],
      'dashboard/today': ['CHAIN#*'],
      'receipt/assign': ['PAYMENT#*'],
      'test/simulate': ['RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'REFUND#*'],
      'transaction/cancel': ['PAYMENT#*'],
      'transaction/close-refund': ['REFUND#*'],
      'webhook/remove': ['WEBHOOK#*'],
      'work/deliver-push': ['DEVICES#*'],
      'work/run-follow-up': ['LINK_WAIT#*', 'REQUEST_MONEY#*'],
      'work/deliver-sms': ['PACE#*', 'CODE_TEXT#*'],
      'work/follow-up': ['LOOKUP#*'],
      'work/settle-receipt': ['RECEIPT#*', 'PAYMENT#*', 'REFUND#*', 'CHAIN#*'],
      'work/housekeeping': ['EXPIRY*', 'PAYMENT#*', 'CHAIN#*', 'SILENCE#*', 'CODE_TEXT#*', 'FOLLOW_UP#*'],
    });
  });
});

test('only the owner and operator pages may change payment destinations', () => {
  const deciding = ['dashboard/settings', 'dashboard/operator-money'];
  const whoWrites = (key: string) =>
    ['PutItem', 'UpdateItem', 'DeleteItem'].flatMap((action) => whoMay(action, key)).filter(isNew);
  for (const key of ['MERCHANT#m', 'MOMO#+233241234567']) expect(whoWrites(key)).toEqual(deciding);
  // Routes that change prices or name a balance write the same rows, but cannot apply a change of numbers.
  const telling = ['link/change', 'dashboard/today', 'dashboard/links'] as const;
  expect(whoWrites('CHANGE#m')).toEqual([...telling, ...deciding]);
  for (const name of telling) expect(whoMay('UpdateItem', 'CHANGE#m')).not.toContain(name);
});

/** Partitions whose rows may be deleted. */
const DELETED = {
  CHAIN: 'rows of a balance chain',
  CHALLENGE: 'a sign-in challenge',
  CHANGE: 'a decided change',
  CODE_TEXT: 'the message of a code that was sent or failed',
  CONTACT: 'a contact',
  DEVICES: 'a device with notifications',
  EXPIRY: 'the expiry entry of a charge that has ended',
  FOLLOW_UP: 'the record of a finished follow-up job',
  INVITATION: 'an invitation',
  LINK_WAIT: 'a charge’s wait for a stock code',
  LOGO: 'a replaced logo',
  LOOKUP: 'a search entry of a charge',
  MOMO: 'a merchant’s wallet number',
  PACE: 'a text’s turn',
  PASSKEY: 'a passkey',
  PAYMENT: 'the use of a payment by a charge that ended or no longer needs the payment',
  RECEIPT: 'a typed receipt whose text came to another number of its merchant',
  REFUND: 'the search entry of a closed refund',
  REQUEST_MONEY: 'the record of a payment that its request has counted',
  SENDER: 'a sender',
  SESSION: 'a session',
  SHARED_PHONE: 'a shared phone',
  SILENCE: 'the record of a silence that is over',
  WEBHOOK: 'a webhook',
};

function isNew(name: string, n: number, names: readonly string[]): boolean {
  return names.indexOf(name) === n;
}

function whoReads(key: string): string[] {
  const readers = new Set(['GetItem', 'BatchGetItem', 'Query'].flatMap((action) => whoMay(action, key)));
  return rows.map(([name]) => name).filter((name) => readers.has(name));
}

function whoMay(action: string, key: string): string[] {
  return rows.map(([name]) => name).filter((name) => permits(name, action, [key]));
}

function permits(name: string, action: string, keys: readonly string[]): boolean {
  const role = roles.get(name);
  return role !== undefined && dev.permits(role, `dynamodb:${action}`, 'momo-kiosk-dev', keys);
}
