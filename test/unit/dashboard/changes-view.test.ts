import { describe, expect, test } from 'vitest';
import type { Merchant } from '../../../shared/merchants/merchant/merchant.ts';
import type { MadeChange, WaitingChange } from '../../../shared/merchants/merchant/money-change.table.ts';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import type { User } from '../../../shared/merchants/user/user.table.ts';
import { type ChangesRows, changesView } from '../../../shared/pages/dashboard/settings/changes-view.ts';

const AT = '2026-11-20T10:00:00.000Z';
const NUMBER = '+233241234567';
const outside = { baseUrl: 'https://pay.example.com', operator: 'Ama Owusu, 024 123 4567' };
const user = (role: Role): User => ({ user_id: role, name: role, role, merchant_id: 'shop', created_at: AT });
const account = { number: NUMBER, network: 'MTN', account_name: 'AMA' } as const;
const merchant: Merchant = { merchant_id: 'shop', name: 'Ama Stores', momo_accounts: [account], created_at: AT };
const newName = { kind: 'name', number: NUMBER, network: 'MTN', from: 'AMA', to: 'AMA LTD' } as const;
const rename: WaitingChange = {
  id: '1',
  merchant_id: 'shop',
  place: 1,
  change: newName,
  by: 'manager',
  at: AT,
  expires_at_epoch_seconds: Date.parse('2026-11-27T10:00:00.000Z') / 1000,
};
const added: WaitingChange = {
  ...rename,
  change: { kind: 'add', number: '+233201234567', network: 'TELECEL', account_name: 'AMA', first: NUMBER },
  by: 'owner',
  needs: 'operator',
};

function view(
  role: Role,
  waiting: WaitingChange[],
  { made = [], ...more }: Partial<ChangesRows & { made: MadeChange[] }> = {},
) {
  const people = new Map((['owner', 'manager'] as const).map((one) => [one, user(one)]));
  const changes = { waiting, made, seenUntil: new Map<string, string>() };
  return changesView(outside, { merchant, user: user(role), changes, people, known: new Map(), ...more });
}

describe('a pending change', () => {
  const one = (role: Role, change: WaitingChange) => view(role, [change]).waiting[0];

  test('shows both values, the proposer and the expiry time', () => {
    expect(one('owner', rename)).toMatchObject({
      what: 'Change the name of 024 123 4567, MTN MoMo',
      before: 'AMA',
      after: 'AMA LTD',
      proposedBy: 'manager (manager)',
      at: '20 Nov 2026, 10:00',
      ends: '27 Nov 2026, 10:00',
      isOutdated: false,
    });
  });

  test.each<[Role, WaitingChange, object]>([
    ['owner', rename, { kind: 'decide', canApprove: true, drop: 'Reject', isOwn: false }],
    ['owner', { ...rename, by: 'owner' }, { kind: 'decide', canApprove: true, drop: 'Withdraw it', isOwn: true }],
    ['manager', rename, { kind: 'withdraw' }],
    ['manager', { ...rename, by: 'owner' }, { kind: 'watch', decidedBy: 'An owner' }],
    ['owner', added, { kind: 'withdraw' }],
    ['manager', added, { kind: 'watch', decidedBy: 'Support' }],
    ['operator', added, { kind: 'decide', canApprove: true, drop: 'Reject', isOwn: false }],
  ])('has the right actions for the %s role %#', (role, change, decision) => {
    expect(one(role, change)?.decision).toEqual(decision);
  });

  test('cannot be approved if the settings changed after the proposal', () => {
    expect(one('owner', { ...rename, change: { ...newName, from: 'ANOTHER' } })).toMatchObject({
      isOutdated: true,
      decision: { canApprove: false },
    });
  });

  test('has a message for support only if the viewer is an owner', () => {
    expect(one('owner', added)?.support).toEqual({
      explanation: expect.stringContaining('Ask support (Ama Owusu, 024 123 4567) to confirm that the number is yours'),
      message:
        'Please confirm that 020 123 4567 (Telecel Cash) is the MoMo number of Ama Stores: https://pay.example.com/dashboard/operator-money/shop',
      url: expect.stringMatching(/^https:\/\/wa\.me\/233241234567\?text=Please/),
      hint: expect.stringMatching(/^Customers cannot pay this number until/),
    });
    for (const role of ['manager', 'operator'] as const) expect(one(role, added)?.support).toBeUndefined();
    expect(one('owner', rename)?.support).toBeUndefined();
  });

  test.each([
    [
      { others: [], isSender: false, isHeard: false },
      { shops: [], more: 'Nobody’s' },
    ],
    [
      { others: ['other'], isSender: false, isHeard: false },
      { shops: ['other'], more: '' },
    ],
    [
      { others: [], isSender: true, isHeard: true },
      { shops: [], more: 'Its SIM is in a connected phone. Texts from its wallet have arrived' },
    ],
  ])('shows the operator who may own the number: %j', (known, shown) => {
    expect(view('operator', [added], { known: new Map([['1', known]]) }).waiting[0]?.known).toEqual(shown);
  });

  test('is hidden if the shop already has the number', () => {
    const both = { ...merchant, momo_accounts: [account, { ...account, number: '+233201234567' }] };
    expect(view('owner', [added], { merchant: both }).waiting).toEqual([]);
  });
});

describe('recent changes', () => {
  const made: MadeChange[] = [
    { changes: [rename.change], by: 'owner', proposed_by: 'manager', at: '2026-11-20T11:00:00.000Z' },
    { changes: [rename.change], by: 'gone', at: AT },
  ];

  test('show the approver and the proposer', () => {
    const { made: shown, unseenUntil } = view('owner', [], { made });
    expect(shown).toMatchObject([
      { isNew: false, at: '20 Nov 2026, 11:00', who: 'owner (owner), proposed by manager (manager)' },
      { isNew: true, at: '20 Nov 2026, 10:00', who: 'A former team member' },
    ]);
    expect(unseenUntil).toBe('2026-11-20T11:00:00.000Z');
  });

  test('are marked as new for owners only', () => {
    const { made: shown, unseenUntil } = view('manager', [], { made });
    expect(shown.map(({ isNew }) => isNew)).toEqual([false, false]);
    expect(unseenUntil).toBeUndefined();
  });
});
