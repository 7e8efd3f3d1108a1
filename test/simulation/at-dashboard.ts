import type { User } from '../../shared/merchants/user/user.table.ts';
import { paymentsOf } from '../../shared/money/payment/payment.ts';
import { namesOfPayments, ShownProof } from '../../shared/money/receipt/shown-proof.ts';
import { signIn } from '../support/dashboard.ts';
import { chargesIn, type Kiosk } from './kiosk.ts';
import { enter, type FilledForm, tapOnceOrTwice } from './person.ts';
import type { Chance } from './random.ts';

/** Creates an owner for each shop. */
export async function ownersOf(kiosk: Kiosk): Promise<User[]> {
  const people = [];
  for (const { id } of kiosk.shops) people.push((await signIn(kiosk, 'owner', id)).user);
  return people;
}

/** Submits a dashboard form as an owner, sometimes for another shop, with invalid values or twice. */
export async function actAtDashboard(
  kiosk: Kiosk,
  chance: Chance,
  owners: readonly User[],
  reference: string,
): Promise<void> {
  const token = await enter(kiosk, chance.pick([...owners]));
  if (token === undefined) return;
  const form = chance.pick(formsOf(kiosk, chance, reference));
  const { once, answers } = await tapOnceOrTwice(kiosk, chance, token, form);
  for (const answer of answers) {
    const [, sendId] = /^\/dashboard\/texts\/([\w-]+)$/.exec(String(answer?.headers?.location ?? '')) ?? [];
    if (sendId === undefined) continue;
    const known = kiosk.promised.idsByKey.get(once) ?? new Set();
    kiosk.promised.idsByKey.set(once, known.add(sendId));
  }
}

function formsOf(kiosk: Kiosk, chance: Chance, reference: string): FilledForm[] {
  const ids = kiosk.memory.items().flatMap(({ sk, receipt_id }) => (sk === 'RECEIPT' ? [String(receipt_id)] : []));
  const held = `/dashboard/held/${ids.length > 0 ? chance.pick(ids) : 'nothing'}`;
  const charge = chargesIn(kiosk.items()).find((one) => one.reference === reference);
  const receipt = chance.pick(['nothing', ...paymentsOf(charge ?? {}).map(({ receipt_id }) => receipt_id)]);
  const { refund_id = 'nothing' } = charge?.refunds?.at(-1) ?? {};
  return [
    { path: `${held}/give`, fields: { reference, shown: chance.pick([...ShownProof.options]), still_due: '100000' } },
    { path: `${held}/set-aside`, fields: { why: 'a friend' } },
    { path: `${held}/take-back`, fields: {} },
    { path: '/dashboard/charges/new', fields: { amount: '10' } },
    { path: `/dashboard/charges/${reference}/cancel`, fields: {} },
    { path: `/dashboard/charges/${reference}/not-there`, fields: { receipt } },
    {
      path: `/dashboard/charges/${reference}/there`,
      fields: { shown: chance.pick([...ShownProof.options]), payments: namesOfPayments(charge ?? {}) },
    },
    { path: `/dashboard/charges/${reference}/refund`, fields: { amount: chance.pick(['5', '36']) } },
    {
      path: `/dashboard/charges/${reference}/refund/${refund_id}/close`,
      fields: { outcome: chance.pick(['sent', 'withdrawn']) },
    },
    { path: '/dashboard/texts/send', fields: { to: '0551112222', message: 'Hello canary' } },
    { path: '/dashboard/settings/team/invite', fields: { name: 'Efua', role: 'cashier', to: '0551112222' } },
  ];
}
