import type { manifest } from '../../functions/manifest.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { giveSender } from '../../shared/merchants/merchant/senders.ts';
import type { Role } from '../../shared/merchants/user/permissions.ts';
import { transactionRows } from '../../shared/money/transaction/transaction.table.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import { keyKindsOf, type Row } from '../../shared/runtime/triggers/row.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { suspendMerchant, switchSender } from './actions.ts';
import * as dashboard from './dashboard.ts';
import * as links from './links.ts';
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

/** What a test begins with: a world, and all that happens in it. Whoever is made in it acts in it. */
export type Scene = World & ReturnType<typeof verbsOf>;
/** A merchant with keys of both kinds and modes, on a number that all such merchants share. */
export type Merchant = TestMerchant & ReturnType<typeof merchantVerbs>;
/** A merchant who is paid on a number of its own, in a phone. */
export type Shop = receipts.Shop & ReturnType<typeof merchantVerbs> & ReturnType<typeof shopVerbs>;
/** Somebody with a session on the dashboard. */
export type Person = dashboard.Person & ReturnType<typeof personVerbs>;

type Named<On extends Row['on']> = {
  [Name in keyof typeof manifest]: (typeof manifest)[Name] extends { readonly on: On } ? Name : never;
}[keyof typeof manifest];
type Route = Named<'http'>;
type Worker = Named<'queue'> extends `work/${infer Name}` ? Name : never;

export async function scene(options?: Parameters<typeof createWorld>[0]): Promise<Scene> {
  return asScene(await createWorld(options));
}

/** The same, of a world that there is. */
export function asScene(world: World): Scene {
  return Object.assign(world, verbsOf(world));
}

function verbsOf(world: World) {
  const { outside } = world;
  return {
    /** Calls a route, or the function for all else, by the name of its file. */
    call: async (route: Route | 'not-found', request?: Call) => call(world, await loadRoute(route), request),
    /** Opens a page of the dashboard or sends its form, as `dashboard.visit` does, in the area that its path is in. */
    visit: (path: string, request?: dashboard.PageCall) => visit(world, path, request),
    /** Hands jobs to the worker of a queue, in one batch. */
    work: async (worker: Worker, jobs: readonly object[], receives?: number) =>
      callWorker(world, await loadWorker(worker), queueEvent(jobs, receives)),
    housekeeping: async () => {
      const { handler } = await import('../../functions/work/housekeeping.ts');
      return callWorker(world, handler);
    },
    createMerchant: async (options?: Parameters<typeof createMerchant>[1]): Promise<Merchant> => {
      const merchant = await createMerchant(world, options);
      return Object.assign(merchant, merchantVerbs(world));
    },
    createShop: async (options?: Parameters<typeof receipts.createShop>[1]): Promise<Shop> => {
      const shop = await receipts.createShop(world, options);
      return Object.assign(shop, merchantVerbs(world), shopVerbs(world));
    },
    createSender: (number: string, device?: string) => createSender(world, number, device),
    addSender: (sender: Parameters<typeof addSender>[1]) => addSender(outside, sender),
    switchSender: (...given: Rest<typeof switchSender>) => switchSender(outside, ...given),
    signIn: (role: Role, merchantId?: string, signed?: Signed) => signIn(world, role, merchantId, signed),
    signInAgain: async (user: dashboard.Person['user'], signed?: Signed): Promise<Person> => {
      const person = await dashboard.signInAgain(world, user, signed);
      return Object.assign(person, personVerbs(world));
    },
    goToNoon: () => goToNoon(world),
    pressPay: (...given: Rest<typeof links.pressPay>) => links.pressPay(world, ...given),
    openLink: (...given: Rest<typeof links.openLink>) => links.openLink(world, ...given),
    pressPayPart: (...given: Rest<typeof links.pressPayPart>) => links.pressPayPart(world, ...given),
    openPart: (...given: Rest<typeof links.openPart>) => links.openPart(world, ...given),
    /** A charge as it is stored. */
    transaction: (reference: string) => transactionRows.find(outside, { reference }),
    followChanges: () => pushed.followChanges(world),
    followPayments: () => pushed.followPayments(world),
    tell: () => pushed.tell(world),
    rows: (sk: string): Promise<Item[]> => receipts.rows(world, sk),
    scan: () => table.scan(world),
    sendRow: (sendId: string) => table.sendRow(world, sendId),
    messageRow: (sendId: string, index?: number) => table.messageRow(world, sendId, index),
    writeMessageState: (sendId: string, state: string, index?: number) =>
      table.writeMessageState(world, sendId, state, index),
    receiptRow: (receiptId: string) => receipts.receiptRow(world, receiptId),
    eventRow: (eventId: string) => webhooks.eventRow(world, eventId),
    makeTry: (eventId: string, tries?: number, times?: number) => webhooks.makeTry(world, eventId, tries, times),
    relayChanges: (...changes: { before?: Item; after?: Item }[]) => webhooks.relayChanges(world, ...changes),
    settle: (...jobs: object[]) => receipts.settle(world, ...jobs),
    rightBefore: (command: string, happens: () => Promise<unknown>) => receipts.rightBefore(world, command, happens),
  };
}

type Keys = Pick<TestMerchant, 'id' | 'liveKey'> & Partial<TestMerchant>;

// A verb is of whom it is called on: a copy with another key, number or token acts with that.

function merchantVerbs(world: World) {
  const { outside } = world;
  return {
    /** Calls a route with the key that it takes: the live one where it takes both. Another key may be in the request. */
    async call(this: Keys, route: Route, request?: Call) {
      const handler = await loadRoute(route);
      const [kind = 'live'] = handler.row.on === 'http' ? keyKindsOf(handler.row) : [];
      return call(world, handler, { key: keyOf({ smsKey: this.liveKey, ...this }, kind), ...request });
    },
    change(this: Keys, fields: Parameters<typeof changeMerchant>[2]) {
      return changeMerchant(outside, this.id, fields);
    },
    addKey(this: Keys, ...given: AfterTwo<typeof addApiKey>) {
      return addApiKey(outside, this.id, ...given);
    },
    topUp(this: Keys, credits: number) {
      return topUp(outside, this.id, credits);
    },
    signIn(this: Keys, role: Role, signed?: Signed) {
      return signIn(world, role, this.id, signed);
    },
    suspend(this: Keys, isSuspended = true) {
      return suspendMerchant(outside, this.id, isSuspended);
    },
    giveSender(this: Keys, number: string) {
      return giveSender(outside, number, this.id);
    },
    /** Makes a charge, and gives its reference. */
    charge(this: Keys, said: { amount: number; [field: string]: unknown }) {
      return receipts.charge(world, this, said);
    },
    /** A charge as its merchant creates it, over GHS 36 where nothing else is said. */
    createCharge(this: Keys, said?: object) {
      return receipts.createCharge(world, this, said);
    },
    /** Makes a payment request, and gives its slug. */
    request(this: Keys, said: object) {
      return receipts.request(world, this, said);
    },
    shownRequest(this: Keys, slug: string) {
      return receipts.shownRequest(world, this, slug);
    },
    verified(this: Keys, reference: string) {
      return receipts.verified(world, this, reference);
    },
    listed(this: Keys, status: string) {
      return receipts.listed(world, this, status);
    },
    balance(this: Keys) {
      return table.balanceOf(world, this);
    },
    sends(this: Keys) {
      return table.sendsOf(world, this);
    },
    charges(this: Keys) {
      return table.chargesOf(world, this);
    },
    refunds(this: Keys) {
      return table.refundsOf(world, this);
    },
    setWebhook(this: Keys, url?: string) {
      return webhooks.setWebhook(world, this, url);
    },
    newEvent(this: Keys, kind?: Parameters<typeof webhooks.newEvent>[2]) {
      return webhooks.newEvent(world, this, kind);
    },
    shownEvent(this: Keys, eventId: string) {
      return webhooks.shownEvent(world, this, eventId);
    },
  };
}

type Paid = Pick<receipts.Shop, 'number'>;
type Receipt = Parameters<typeof receipts.paymentId>[1];

function shopVerbs(world: World) {
  return {
    pay(this: Paid, receipt: Parameters<typeof receipts.pay>[2]) {
      return receipts.pay(world, this, receipt);
    },
    arrive(this: Paid, arrival: receipts.Arrival) {
      return receipts.arrive(world, this, arrival);
    },
    paymentId(this: Paid, receipt: Receipt) {
      return receipts.paymentId(this, receipt);
    },
    /** What is stored of a payment. */
    receipt(this: Paid, receipt: Receipt) {
      return receipts.receiptRow(world, receipts.paymentId(this, receipt));
    },
    receipts(this: Paid) {
      return receipts.receiptRows(world, this);
    },
  };
}

function personVerbs(world: World) {
  return {
    /** Opens a page, or sends its form. */
    visit(this: Pick<dashboard.Person, 'token'>, path: string, request?: Omit<dashboard.PageCall, 'by'>) {
      return visit(world, path, { by: this, ...request });
    },
  };
}

type AfterTwo<F extends (...given: never) => unknown> =
  Parameters<F> extends [unknown, unknown, ...infer Given] ? Given : never;
type Signed = Parameters<typeof dashboard.signIn>[3];
type Rest<F extends (outside: never, ...given: never) => unknown> =
  Parameters<F> extends [unknown, ...infer Given] ? Given : never;

async function signIn(
  world: World,
  ...given: Parameters<typeof dashboard.signIn> extends [unknown, ...infer G] ? G : never
): Promise<Person> {
  const person = await dashboard.signIn(world, ...given);
  return Object.assign(person, personVerbs(world));
}

async function visit(world: World, path: string, request?: dashboard.PageCall) {
  const area = dashboard.areas().find(({ row }) => path === row.path || path.startsWith(`${row.path}/`));
  if (!area) throw new Error(`No area of the dashboard has ${path}`);
  return dashboard.visit(world, await dashboard.loadArea(area.name), path, request);
}

async function loadWorker(name: Worker): Promise<QueueHandler> {
  const file = new URL(`../../functions/work/${name}.ts`, import.meta.url);
  const module: { handler: QueueHandler } = await import(/* @vite-ignore */ file.href);
  return module.handler;
}
