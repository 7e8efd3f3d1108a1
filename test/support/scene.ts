import type { manifest } from '../../functions/manifest.ts';
import { listAudit } from '../../shared/merchants/audit/audit.table.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { giveSender } from '../../shared/merchants/merchant/senders.ts';
import type { Role } from '../../shared/merchants/user/permissions.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import { keyKindsOf, type Row } from '../../shared/runtime/triggers/row.ts';
import type { ScheduleHandler } from '../../shared/runtime/triggers/schedule.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import type { Chain } from '../../shared/wallets/chain/chain.ts';
import { changeChain, requireChain } from '../../shared/wallets/chain/change-chain.ts';
import { suspendMerchant, switchSender } from './actions.ts';
import * as dashboard from './dashboard.ts';
import * as links from './links.ts';
import { loadFunction } from './load-function.ts';
import { nameMature } from './name-mature.ts';
import * as pushed from './pushed.ts';
import * as receipts from './receipts.ts';
import { keyOf, loadRoute } from './routes.ts';
import * as table from './rows.ts';
import * as webhooks from './webhooks.ts';
import {
  type Call,
  call,
  callWorker,
  createMerchant,
  createSender,
  createWorld,
  goToNoon,
  queueEvent,
  type TestMerchant,
  type World,
} from './world.ts';

/** A world with helper methods for tests. Its merchants and people have such methods too. */
export type Scene = World & ReturnType<typeof verbsOf>;
/** A merchant with live and test keys of both kinds. Such merchants share one MoMo number. */
export type Merchant = TestMerchant & ReturnType<typeof merchantVerbs>;
/** A merchant with its own wallet number on a phone. */
export type Shop = receipts.Shop & ReturnType<typeof merchantVerbs> & ReturnType<typeof shopVerbs>;
export type Person = dashboard.Person & ReturnType<typeof personVerbs>;

type Named<On extends Row['on']> = {
  [Name in keyof typeof manifest]: (typeof manifest)[Name] extends { readonly on: On } ? Name : never;
}[keyof typeof manifest];
type Route = Named<'http'>;
type Worker = Named<'queue'> extends `work/${infer Name}` ? Name : never;

export async function scene(options?: Parameters<typeof createWorld>[0]): Promise<Scene> {
  return asScene(await createWorld(options));
}

export function asScene(world: World): Scene {
  return Object.assign(world, verbsOf(world));
}

function verbsOf(world: World) {
  const { outside } = world;
  const here =
    <Given extends unknown[], R>(act: (world: World, ...given: Given) => R) =>
    (...given: Given): R =>
      act(world, ...given);
  return {
    call: async (route: Route | 'not-found', request?: Call) => call(world, await loadRoute(route), request),
    visit: here(dashboard.visitPath),
    work: async (worker: Worker, jobs: readonly object[], receives?: number) =>
      callWorker(world, await loadFunction<QueueHandler>(`work/${worker}`), queueEvent(jobs, receives)),
    housekeeping: async () => callWorker(world, await loadFunction<ScheduleHandler>('work/housekeeping')),
    createMerchant: async (options?: Parameters<typeof createMerchant>[1]): Promise<Merchant> => {
      return Object.assign(await createMerchant(world, options), merchantVerbs(world));
    },
    createShop: async (options?: Parameters<typeof receipts.createShop>[1]): Promise<Shop> => {
      return Object.assign(await receipts.createShop(world, options), merchantVerbs(world), shopVerbs(world));
    },
    createSender: here(createSender),
    /** Defaults to the first SIM of the first phone. */
    addSender: (sender: Pick<Sender, 'number'> & Partial<Sender>) =>
      addSender(outside, { network: 'MTN', gateway: 'phone', device_id: 'device-1', sim_number: 1, ...sender }),
    switchSender: (...given: Rest<typeof switchSender>) => switchSender(outside, ...given),
    signIn: (role: Role, merchantId?: string, signed?: Signed) => signIn(world, role, merchantId, signed),
    signInAgain: async (user: dashboard.Person['user'], signed?: Signed): Promise<Person> => {
      return Object.assign(await dashboard.signInAgain(world, user, signed), personVerbs(world));
    },
    operatorAt: async (merchant: string): Promise<Person> => {
      const operator = await signIn(world, 'operator', undefined);
      await operator.visit('/dashboard/sign-in/open-merchant', { form: { merchant } });
      return operator;
    },
    audit: (actions?: RegExp) => auditOf(world, undefined, actions),
    goToNoon: here(goToNoon),
    pressPay: here(links.pressPay),
    openLink: here(links.openLink),
    pressPayPart: here(links.pressPayPart),
    openPart: here(links.openPart),
    chargeRow: here(receipts.chargeRow),
    claim: here(receipts.claim),
    queuedNotices: here(pushed.queuedNotices),
    followChanges: here(pushed.followChanges),
    followPayments: here(pushed.followPayments),
    tell: here(pushed.tell),
    rows: here(receipts.rows),
    scan: here(table.scan),
    sendRow: here(table.sendRow),
    messageRow: here(table.messageRow),
    writeMessageState: here(table.writeMessageState),
    receiptRow: here(receipts.receiptRow),
    eventRow: here(webhooks.eventRow),
    makeTry: here(webhooks.makeTry),
    relayChanges: here(webhooks.relayChanges),
    settle: here(receipts.settle),
    rightBefore: here(receipts.rightBefore),
  };
}

type Keys = Pick<TestMerchant, 'id' | 'liveKey'> & Partial<TestMerchant>;

// Methods act for their own object. To use a different key, number or token, call the method on a changed copy.

function merchantVerbs(world: World) {
  const { outside } = world;
  const acts = doing<Keys>(world);
  /** Wraps functions that take the id of a person or merchant. */
  const undergoes = <Given extends unknown[], R>(act: (outside: World['outside'], id: string, ...given: Given) => R) =>
    acts((_, { id }, ...given: Given) => act(outside, id, ...given));
  return {
    /** Calls a route with the given key. Defaults to the live key. */
    call: acts(async (_, who, route: Route, request?: Call) => {
      const handler = await loadRoute(route);
      const [kind = 'live'] = handler.row.on === 'http' ? keyKindsOf(handler.row) : [];
      return call(world, handler, { key: keyOf({ smsKey: who.liveKey, ...who }, kind), ...request });
    }),
    change: undergoes(changeMerchant),
    addKey: undergoes(addApiKey),
    topUp: undergoes(topUp),
    suspend: undergoes((_, id, isSuspended?: boolean) => suspendMerchant(outside, id, isSuspended ?? true)),
    /** Returns this month's audit entries, oldest first. */
    audit: acts((_, { id }, actions?: RegExp) => auditOf(world, id, actions)),
    giveSender: undergoes((_, id, number: string) => giveSender(outside, number, id)),
    signIn: acts((_, { id }, role: Role, signed?: Signed) => signIn(world, role, id, signed)),
    charge: acts(receipts.charge),
    createCharge: acts(receipts.createCharge),
    request: acts(receipts.request),
    shownRequest: acts(receipts.shownRequest),
    verified: acts(receipts.verified),
    listed: acts(receipts.listed),
    text: acts(text),
    balance: acts(table.balanceOf),
    sends: acts(table.sendsOf),
    charges: acts(table.chargesOf),
    refunds: acts(table.refundsOf),
    setWebhook: acts(webhooks.setWebhook),
    newEvent: acts(webhooks.newEvent),
    shownEvent: acts(webhooks.shownEvent),
  };
}

async function text(world: World, { liveKey, smsKey = liveKey }: Keys, said: object = {}) {
  const body = { to: '0551112223', message: 'Hello', ...said };
  const { status, json } = await call(world, await loadRoute('sms/send'), { key: smsKey, body });
  if (status !== 200) throw new Error(`The text got status ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

type Paid = Pick<receipts.Shop, 'number' | 'network' | 'liveKey'>;
type Receipt = Parameters<typeof receipts.paymentId>[1];

function shopVerbs(world: World) {
  const acts = doing<Paid>(world);
  const walletOf = ({ network, number }: Paid) => ({ network, momo_number: number });
  return {
    pay: acts(receipts.pay),
    arrive: acts(receipts.arrive),
    paymentId: acts((_, shop, receipt: Receipt) => receipts.paymentId(shop, receipt)),
    receipt: acts((_, shop, receipt: Receipt) => receipts.receiptRow(world, receipts.paymentId(shop, receipt))),
    receipts: acts(receipts.receiptRows),
    assign: acts(async (_, shop, receipt: Receipt, reference: unknown, more?: Call) =>
      call(world, await loadRoute('receipt/assign'), {
        key: shop.liveKey,
        parameters: { id: receipts.paymentId(shop, receipt) },
        body: { reference },
        ...more,
      }),
    ),
    payPart: acts(async (_, shop, slug: string, amount: string) => {
      const reference = await links.openPart(world, slug, amount);
      await receipts.pay(world, shop, receipts.mtn({ reference, amount: Number(amount).toFixed(2) }));
      return reference;
    }),
    chain: acts(({ outside }, shop) => requireChain(outside, walletOf(shop))),
    changeChain: acts(({ outside }, shop, changes: Partial<Chain>) =>
      changeChain(outside, walletOf(shop), () => changes),
    ),
    /** Names the balance of the shop's wallet, so that its texts are verified. */
    nameBalance: acts(({ outside }, shop, pesewas: number) => nameMature(outside, walletOf(shop), pesewas)),
  };
}

function personVerbs(world: World) {
  const acts = doing<Pick<dashboard.Person, 'token'>>(world);
  return {
    visit: acts((_, by, path: string, request?: Omit<dashboard.PageCall, 'by'>) =>
      dashboard.visitPath(world, path, { by, ...request }),
    ),
    /** Returns the table commands that a page sends with empty caches. */
    reads: acts(async (_, by, path: string) => {
      world.clock.nowMs += 3_000;
      world.requests.length = 0;
      await dashboard.visitPath(world, path, { by });
      return world.requests.toSorted();
    }),
    /** Follows a redirect with the response's cookies. */
    follow: acts(
      (_, by, { headers, cookies }: Pick<Awaited<ReturnType<typeof dashboard.visit>>, 'headers' | 'cookies'>) =>
        dashboard.visitPath(world, String(headers.location), {
          by,
          cookies: cookies.map((cookie) => cookie.split(';')[0] ?? ''),
        }),
    ),
  };
}

function doing<Who>(world: World) {
  return <Given extends unknown[], R>(act: (world: World, who: Who, ...given: Given) => R) =>
    function (this: Who, ...given: Given): R {
      return act(world, this, ...given);
    };
}

type Sender = Parameters<typeof addSender>[1];
type Signed = Parameters<typeof dashboard.signIn>[3];
type Rest<F extends (outside: never, ...given: never) => unknown> =
  Parameters<F> extends [unknown, ...infer Given] ? Given : never;

async function signIn(world: World, ...given: Rest<typeof dashboard.signIn>): Promise<Person> {
  return Object.assign(await dashboard.signIn(world, ...given), personVerbs(world));
}

async function auditOf({ outside, iso }: World, merchantId: string | undefined, actions = /./) {
  const { entries } = await listAudit(outside, merchantId, iso().slice(0, 7), { limit: 100, newestFirst: false });
  return entries.filter(({ action }) => actions.test(action));
}
