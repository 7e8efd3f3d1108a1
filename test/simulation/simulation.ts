import {
  askForCode,
  askForText,
  assignReceipt,
  buyCredits,
  type CallInput,
  type Client,
  cancelCharge,
  confirmCode,
  createCharge,
  type RouteName,
  refund,
  sendBulk,
  sendCode,
  sendText,
  simulateOutcome,
  storeContacts,
} from '../../infra/local/story/steps.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import type { User } from '../../shared/merchants/user/user.table.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { claimPayment } from '../../shared/money/claims/claim-payment.ts';
import { isOpenRefund } from '../../shared/money/payment/payment.ts';
import { Outcome } from '../../shared/money/settling/simulate-outcome.ts';
import { endedError } from '../../shared/pages/checkout/claim.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { magicNumbers } from '../../shared/texts/sms/magic-numbers.ts';
import { askPhoneAgain } from '../../shared/wallets/wallet/ask-again.ts';
import { setWebhook } from '../support/actions.ts';
import { agree } from '../support/contacts.ts';
import { type Boundary, type Fault, WRITES } from '../support/faults.ts';
import { claimedPayments, fromTelecel, mtn } from '../support/receipts.ts';
import { refusal } from '../support/wallets.ts';
import { Wallets } from './anchors.ts';
import { actAtDashboard, ownersOf } from './at-dashboard.ts';
import { actAtTill, openShopTills } from './at-till.ts';
import { wrongWithClosings } from './closings.ts';
import { changeShop, peopleOf } from './insider.ts';
import { checkAlways, checkAtTheEnd, checkQuiet, Violation } from './invariants.ts';
import { chargesIn, DEVICES, Kiosk, type Shop, SIGNING_KEY } from './kiosk.ts';
import { addMoreCodes, openInNameOf, openShopLink, pressPayOn } from './links.ts';
import { listen } from './listeners.ts';
import { BUNDLE, operateCredits, purchasesIn, sellCredits } from './purchases.ts';
import { type Chance, chanceFrom } from './random.ts';
import { askShopFor, pressPayPart, wrongWithShownRequests } from './requests.ts';
import { transferText } from './transfers.ts';

/** Formats a reference as on its page, followed by a word. */
const asShown = (reference: string) => reference.replace(/^MK-(\d{4})(\d{3})(\d{3})$/, 'MK $1 $2 $3 Obaapa');

const NAMES = ['KOFI CANARY', 'AMA OWUSU', 'YAW ADJEI'];
/** Customer names for charges that are meant to match other people's payments. */
const WILDCARDS = ['KOFI', 'A. OWUSU', 'KOFI CANARY AMA OWUSU YAW ADJEI', 'K A Y'];
const AMOUNTS = [10, 10, 36.5];
/** People who reply to texts. */
const ANSWERING = ['0551112222', '0551112223'];
const ANSWERS = ['STOP', 'Stop', 'START', 'HELP', 'gyae', 'Thank you', 'Yes', 'Your code is 482910'];
/** Customers on another network. */
const PHONES = ['233209876541', '233209876542'];
/** Amounts smaller than any charge. */
const PARTS = [4, 6];
const LIFETIMES_SECONDS = [300, 3_600, 7 * 24 * 3_600];

/** A customer on another network, the charge they paid, and their number. */
interface Payer {
  readonly reference: string;
  readonly accessCode: string;
  readonly phone: string;
}

/** Probability that an outside call fails. The caller is killed a fifth as often. */
const FAULT_RATE = 0.03;

/** The service with random faults. The seed determines everything. */
export class Simulation implements Client {
  readonly chance: Chance;
  readonly kiosk: Kiosk;
  readonly #wallets: Wallets;
  #paymentId = 50_000_000_000;
  readonly #keysUsed: { shop: Shop; key: string; body: object }[] = [];
  #payments: { text: string; device: string }[] = [];
  readonly #payers: Payer[] = [];
  readonly #refusals: { text: string; device: string }[] = [];
  #receiverDown = false;
  /** Time from which the merchants' servers accept everything, so that all events can be delivered. */
  #wellFromMs = Number.POSITIVE_INFINITY;
  #owners: User[] = [];
  /** The shops' employees. */
  people: readonly User[] = [];
  readonly #bulks: { readonly id: string; readonly shop: Shop }[] = [];
  #keys = 0;
  readonly #requests: { readonly slug: string; readonly amount: number }[] = [];
  readonly #links: { readonly shop: Shop; readonly slug: string; readonly hasCodes: boolean }[] = [];
  readonly #codes: { readonly key: string; readonly id: string }[] = [];

  constructor(seed: number) {
    this.chance = chanceFrom(seed);
    this.kiosk = new Kiosk(this.chance);
    this.#wallets = new Wallets(this.kiosk, this.chance);
    this.kiosk.receiver = () => {
      const usual = this.chance.pick([200, 200, 200, 500]);
      const statusCode = this.#receiverDown ? 503 : this.kiosk.nowMs >= this.#wellFromMs ? 200 : usual;
      return { statusCode, headers: {}, text: '' };
    };
  }

  /** Sets up the shops, without faults. */
  async prepare(): Promise<void> {
    await this.kiosk.open(() => this.chance.between(20, 120));
    for (const { id } of this.kiosk.shops)
      await changeMerchant(this.kiosk.outside, id, { text_receipts: true, pay_texts_per_day: 50 });
    // STOP also applies to a shop that does not receive replies.
    const asks = { answers: true, stop_words: ['GYAE'] };
    await changeMerchant(this.kiosk.outside, this.kiosk.shops[0]?.id ?? '', asks);
    const numbers = ANSWERING.map((number) => `+233${number.slice(1)}`);
    for (const { id } of this.kiosk.shops) await agree(this.kiosk, id, numbers);
    this.#owners = await ownersOf(this.kiosk);
    this.people = [...this.#owners, ...(await peopleOf(this.kiosk))];
    await openShopTills(this.kiosk);
    for (const person of this.people) await listen(this.kiosk, person);
    for (const owner of this.#owners) await listen(this.kiosk, owner, { to: '+233551119999', kinds: ['held'] });
    for (const device of DEVICES) this.kiosk.pinging.add(device);
    // The first shop has a webhook for everything, and the second one for texts only.
    const id = this.kiosk.shops[1]?.id ?? '';
    await setWebhook(this.kiosk.outside, { merchant_id: id, key_kind: 'sms' }, 'https://sms.example.com/hooks');
    for (const shop of this.kiosk.shops)
      for (const [amount, codes] of [
        [this.chance.pick(AMOUNTS), 0],
        [this.chance.pick(AMOUNTS), this.chance.between(1, 3)],
      ] as const)
        this.#links.push({ shop, slug: await openShopLink(this.kiosk, shop, amount, codes), hasCodes: codes > 0 });
    for (const shop of this.kiosk.shops) {
      const amount = this.chance.pick(AMOUNTS);
      this.#requests.push({ amount, slug: await askShopFor(this.kiosk, shop, amount) });
    }
    const [seller] = this.kiosk.shops;
    if (seller) await sellCredits(this.kiosk, seller);
    await this.#wallets.begin();
    this.kiosk.isUnruly = true;
    this.kiosk.faults.decide = (boundary) => this.#fault(boundary);
    this.kiosk.faults.whileDelayed = () => this.#goOn();
  }

  /** Performs a random action and checks the invariants. */
  async step(): Promise<void> {
    const { kiosk, chance } = this;
    const happenings: readonly [number, () => Promise<unknown>][] = [
      [6, () => this.#send()],
      [1, () => this.#storeContact()],
      [3, () => this.#cancelText()],
      [2, () => this.#sendBulk()],
      [1, () => this.#cancelBulk()],
      [3, () => this.#answer()],
      [3, () => this.initialize()],
      [2, () => this.#openLink()],
      [6, () => this.#openRequest()],
      [3, () => this.#sendBack()],
      [3, () => this.#pay()],
      [1, () => this.#reverse()],
      [1, () => this.#tellUntruth()],
      [1, () => this.#refuse()],
      [1, () => this.#claim()],
      [1, () => this.#payAcross()],
      [1, () => this.#askForText()],
      [1, () => this.#askForCode()],
      [1, () => this.#confirmCode()],
      [3, () => this.#claimByPhone()],
      [1, () => this.#assign()],
      [1, () => this.#cancel()],
      [2, () => actAtDashboard(kiosk, chance, this.#owners, this.#anyReference())],
      [2, () => changeShop(kiosk, chance, this.people)],
      [4, () => actAtTill(kiosk, chance, this.people)],
      [1, () => this.#topUp()],
      [2, () => this.#wallets.look()],
      [2, () => this.#buyCredits()],
      [2, () => this.#test()],
      [2, () => this.#sendCode()],
      [3, () => this.#checkCode()],
      [16, () => this.#goOn()],
      [2, () => kiosk.wait(chance.between(1, 90_000))],
      [1, () => (chance.happens(0.2) ? this.#waitADay() : kiosk.wait(chance.between(60_000, 7_200_000)))],
      [1, async () => kiosk.phones.switch(chance.pick(DEVICES), chance.happens(0.6))],
      [1, () => this.#switchServers()],
      [1, () => this.#breakPhone()],
      [1, () => this.#moveSender()],
    ];
    await chance.pickWeighted(happenings)().catch(unanswered);
    this.#check();
  }

  /** Ends the faults and processes everything. */
  async settle(): Promise<void> {
    const { kiosk } = this;
    kiosk.faults.decide = () => undefined;
    kiosk.isUnruly = false;
    kiosk.phones.fault = undefined;
    kiosk.phones.withoutSim.clear();
    kiosk.phones.deaf.clear();
    kiosk.phones.refreshes = true;
    for (const device of DEVICES) kiosk.signing.set(device, { key: SIGNING_KEY, skewMs: 0, id: device });
    this.#receiverDown = false;
    for (const device of DEVICES) kiosk.phones.switch(device, true);
    const endMs = kiosk.nowMs + 5 * DAY_MS;
    this.#wellFromMs = endMs - 2 * DAY_MS;
    while (kiosk.nowMs < endMs) {
      await kiosk.goOn(() => this.#outcome());
      await kiosk.wait(kiosk.quietMs);
      // A phone's inbox is requested again after a day.
      for (const { device } of kiosk.phones.inbox) await this.#askAgain(device);
      await this.#wallets.look();
      this.#check();
    }
    // Process the results of housekeeping's last run as well.
    await kiosk.goOn(() => this.#outcome());
    checkAtTheEnd(kiosk);
    checkQuiet(kiosk);
    const shown = [...(await wrongWithClosings(kiosk)), ...(await wrongWithShownRequests(kiosk))];
    for (const what of shown) throw new Violation(what);
  }

  #check(): void {
    checkAlways(this.kiosk);
    for (const what of this.#wallets.wrong()) throw new Violation(what);
  }

  async #askAgain(device_id: string): Promise<void> {
    const now = new Date(this.kiosk.nowMs).toISOString();
    await askPhoneAgain(this.kiosk.outside, { gateway: 'phone', device_id }, new Date(0).toISOString(), now);
  }

  /** Processes some of the pending work. */
  async #goOn(): Promise<unknown> {
    const { kiosk, chance } = this;
    switch (chance.pick(['relay', 'work', 'phones'])) {
      case 'relay':
        // Sometimes delivers earlier changes again.
        if (chance.happens(0.15)) kiosk.rewindStream(chance.between(1, 5));
        return kiosk.relay();
      case 'work':
        return kiosk.work();
      default:
        return kiosk.phonesWork(() => this.#outcome());
    }
  }

  #outcome(): 'Sent' | 'Failed' {
    return this.chance.happens(0.1) ? 'Failed' : 'Sent';
  }

  #fault({ what }: Boundary): Fault | undefined {
    if (this.chance.happens(FAULT_RATE / 5)) return this.chance.pick(['die', 'die-after']);
    if (!this.chance.happens(FAULT_RATE)) return undefined;
    const fault = this.chance.pick(FAULTS);
    return fault === 'conflict' && !WRITES.has(what) ? 'lose-request' : fault;
  }

  /** Advances the clock by a day. Expired Idempotency-Keys are not reused. */
  async #waitADay(): Promise<void> {
    // The stream keeps changes for a day.
    if (this.kiosk.unrelayed > 0) return this.kiosk.wait(DAY_MS / 24);
    this.#keysUsed.length = 0;
    await this.kiosk.wait(DAY_MS);
  }

  async #switchServers(): Promise<void> {
    this.kiosk.phones.fault = this.chance.happens(0.4) ? this.chance.pick(['down', 'rejects', 'hangs']) : undefined;
    this.#receiverDown = this.chance.happens(0.4);
  }

  /** Breaks or repairs a phone: its SIM, key, clock or app. */
  async #breakPhone(): Promise<void> {
    const { phones, signing } = this.kiosk;
    const device = this.chance.pick(DEVICES);
    if (this.chance.happens(0.2)) phones.withoutSim.add(device);
    else phones.withoutSim.delete(device);
    if (this.chance.happens(0.2)) phones.deaf.add(device);
    else phones.deaf.delete(device);
    phones.refreshes = this.chance.happens(0.8);
    const right = { key: SIGNING_KEY, skewMs: 0, id: device };
    const wrong = this.chance.pick([{ key: 'another' }, { skewMs: 3_600_000 }, { skewMs: -3_600_000 }, { id: 'new' }]);
    const app = this.chance.happens(0.2) ? { app: 'old' as const } : {};
    signing.set(device, { ...right, ...(this.chance.happens(0.3) && wrong), ...app });
  }

  async #send(): Promise<void> {
    const shop = this.chance.pick(this.kiosk.shops);
    const count = this.chance.pick([1, 1, 2, 3, 12, 50]);
    const earlier =
      this.#keysUsed.length > 0 && this.chance.happens(0.2) ? this.chance.pick(this.#keysUsed) : undefined;
    const fresh = {
      shop,
      key: `key-${this.#keys++}`,
      body: {
        to: Array.from({ length: count }, () => this.chance.pick(ANSWERING)),
        message: 'Hello canary',
        from: this.chance.happens(0.8) ? 'random' : this.chance.pick(this.kiosk.shops).number,
        purpose: this.chance.pick(['transactional', 'transactional', 'marketing', 'reminder']),
        ...this.#when(),
      },
    };
    const { shop: who, key, body } = earlier ?? fresh;
    const isKeyed = earlier !== undefined || this.chance.happens(0.4);
    if (isKeyed && !earlier) this.#keysUsed.push(fresh);
    const { id } = await sendText(this, body, { key: who.smsKey, ...(isKeyed && { once: key }) });
    const { idsByKey } = this.kiosk.promised;
    if (isKeyed) idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id));
  }

  /** Stores, withdraws or removes a person's marketing consent. */
  async #storeContact(): Promise<void> {
    const key = this.chance.pick(this.kiosk.shops).smsKey;
    const number = this.chance.pick(ANSWERING);
    if (this.chance.happens(0.1)) return void (await this.ask('contact/remove', { key, parameters: { number } }));
    const at = this.chance.pick(['2026-01-01', new Date(this.kiosk.nowMs).toISOString()]);
    const consent = this.chance.happens(0.6) ? { at, how: 'Form in the shop' } : null;
    const contacts = [{ number, name: 'canary', consent }];
    await storeContacts(this, contacts, { key });
  }

  /** Sends a bulk of personalised texts, in which one number occurs twice. */
  async #sendBulk(): Promise<void> {
    const { chance, kiosk } = this;
    const count = chance.pick([2, 3, 12, 60]);
    const shop = chance.pick(kiosk.shops);
    const body = {
      message: 'Hello canary {word}',
      recipients: Array.from({ length: count }, (_, n) => ({ to: chance.pick(ANSWERING), word: `of ${n}` })),
      from: 'random',
      purpose: chance.pick(['transactional', 'marketing', 'reminder']),
      ...this.#when(),
    };
    const isKeyed = chance.happens(0.4);
    const how = { key: shop.smsKey, ...(isKeyed && { once: `bulk-${this.#keys++}` }) };
    for (let times = isKeyed ? 2 : 1; times > 0; times--) {
      const id = await sendBulk(this, body, how).catch(unanswered);
      if (id !== undefined && !this.#bulks.some((one) => one.id === id)) this.#bulks.push({ id, shop });
    }
  }

  /** Cancels the rest of a bulk, sometimes during processing. */
  async #cancelBulk(): Promise<void> {
    const bulk = this.#bulks.at(-this.chance.between(1, 3)) ?? this.#bulks.at(-1);
    if (!bulk) return;
    const said = { key: bulk.shop.smsKey, parameters: { id: bulk.id } };
    const meanwhile = this.chance.happens(0.5) ? [() => this.kiosk.work()] : [];
    const acts = [() => this.ask('sms/cancel-bulk', said), ...meanwhile];
    await Promise.all(this.chance.shuffled(acts).map((act) => act()));
  }

  /** Returns the timing of a text: usually now, sometimes scheduled, expiring or in quiet hours. */
  #when() {
    const { chance } = this;
    const aheadMs = chance.pick([20_000, 240_000, 1_800_000, 7_200_000, 2 * DAY_MS]);
    return {
      ...(chance.happens(0.35) && { send_at: new Date(this.kiosk.nowMs + chance.between(1, aheadMs)).toISOString() }),
      ...(chance.happens(0.25) && { valid_for: chance.pick([60, 600, 3_600, 86_400]) }),
      ...(chance.happens(0.2) && { quiet_hours: chance.pick(['21:00-07:00', '09:00-09:10', '12:00-10:00', 'none']) }),
    };
  }

  /** Cancels a send or one of its texts, sometimes during processing. */
  async #cancelText(): Promise<void> {
    const { promised, shops } = this.kiosk;
    if (promised.messageIds.size === 0) return;
    const ids = [...promised.messageIds];
    const id = this.chance.happens(0.7)
      ? ids.at(-this.chance.between(1, Math.min(5, ids.length)))
      : this.chance.pick(ids);
    const parameters = { id: id ?? '' };
    const query: Record<string, string> = this.chance.happens(0.3) ? { message_id: parameters.id } : {};
    const cancelIt = (key: string) => this.ask('sms/cancel', { key, parameters, query }).catch(unanswered);
    // Only one account has sent the text.
    const all = shops.flatMap(({ smsKey, smsTestKey }) => [smsKey, smsTestKey]).map((key) => () => cancelIt(key));
    const meanwhile = this.chance.happens(0.5) ? [() => this.kiosk.work()] : [];
    await Promise.all(this.chance.shuffled([...all, ...meanwhile]).map((act) => act()));
  }

  /** Receives a person's text, once or several times. The text may come from a bank or contain a code. */
  async #answer(): Promise<void> {
    const { kiosk, chance } = this;
    const text = chance.pick([...ANSWERS, `Question ${chance.between(1, 4)}`, mtn({ from: 'KOFI CANARY' }).text]);
    const [device, sender] = [chance.pick(DEVICES), `+233${chance.pick(ANSWERING).slice(1)}`];
    const agoMs = chance.pick([0, 0, 5_000, 600_000]);
    for (let copies = chance.between(1, 3); copies > 0; copies--)
      kiosk.arrive(device, text, sender, false, kiosk.nowMs - agoMs - chance.pick([0, 0, 1_000]));
    await kiosk.callBack();
  }

  /** Moves a number to another phone as the operator. */
  async #moveSender(): Promise<void> {
    const place = { gateway: 'phone', device_id: this.chance.pick(DEVICES), sim_number: 1, messages_per_hour: 600 };
    const { number } = this.chance.pick(this.kiosk.shops);
    await this.kiosk.faults.run('admin', () => addSender(this.kiosk.outside, { number, network: 'MTN', ...place }));
  }

  async initialize(key = this.chance.pick(this.kiosk.shops).liveKey): Promise<void> {
    const body = {
      amount: this.chance.pick(AMOUNTS),
      customer_name: this.chance.happens(0.8) ? this.chance.pick([...NAMES, ...WILDCARDS]) : undefined,
      customer_phone: this.chance.happens(0.8) ? this.chance.pick(PHONES) : undefined,
      email: this.chance.happens(0.3) ? 'kofi@example.com' : undefined,
      expires_in: this.chance.happens(0.2) ? this.chance.pick(LIFETIMES_SECONDS) : undefined,
      merchant_reference: this.chance.happens(0.3) ? `order-${this.chance.between(1, 9)}` : undefined,
    };
    await createCharge(this, body, { key }).catch(unanswered);
  }

  /** Opens a charge through a link or a sticker, or adds stock codes. */
  async #openLink(): Promise<void> {
    const { kiosk, chance } = this;
    const { shop, slug, hasCodes } = chance.pick(this.#links);
    if (chance.happens(0.3))
      return openInNameOf(kiosk, shop, Math.round(chance.pick(AMOUNTS) * 100), chance.pick(NAMES));
    const [sticker] = kiosk.memory.items().filter(({ sk, till }) => sk === 'LINK' && till !== undefined);
    if (sticker && chance.happens(0.3))
      return void (await pressPayOn(kiosk, String(sticker.slug), '', String(chance.pick(AMOUNTS))));
    if (hasCodes && chance.happens(0.25))
      return void (await addMoreCodes(this, kiosk, shop, slug, chance.between(1, 3)));
    await pressPayOn(kiosk, slug, chance.happens(0.5) ? `0${chance.pick(PHONES).slice(3)}` : '');
  }

  /** Opens a charge for an instalment of a payment request, all of it, or too much. Usually pays it and sends some back. */
  async #openRequest(): Promise<void> {
    const { kiosk, chance } = this;
    const request = chance.pick([0, 0, 0, 1]);
    const { slug, amount } = this.#requests[request] ?? chance.pick(this.#requests);
    const parts = [1, 1, 1, 2, 2.5].map((times) => Math.round(times * amount * 100) / 100);
    const part = chance.pick(parts);
    const reference = await pressPayPart(kiosk, slug, part);
    if (!reference || chance.happens(0.2)) return;
    const ghs = chance.happens(0.8) ? part : chance.pick(parts);
    const id = this.#nextId();
    const device = DEVICES[request] ?? DEVICES[0];
    const written = mtn({ amount: ghs.toFixed(2), from: chance.pick(NAMES), reference, id }).text;
    const text = this.#wallets.move(device, written, { id, pesewas: Math.round(ghs * 100) });
    this.#payments.push({ text, device });
    kiosk.arrive(device, text);
    await kiosk.callBack();
    if (chance.happens(0.8)) await kiosk.carryOn();
    for (let acts = chance.between(0, 5); acts > 0; acts--) await this.#sendBack();
  }

  /** Notes or closes a refund of a payment request's charge, or lets the wallet report that the money left. */
  async #sendBack(): Promise<void> {
    const { kiosk, chance } = this;
    const paid = chargesIn(kiosk.items()).filter(
      ({ state, origin }) => state === 'success' && origin.kind === 'request',
    );
    if (paid.length === 0) return;
    const { reference, merchant_id, refunds, payment } = chance.pick(paid);
    const shop = kiosk.shops.find(({ id }) => id === merchant_id) ?? chance.pick(kiosk.shops);
    const { liveKey: key } = shop;
    const open = refunds?.find(isOpenRefund);
    if (!open) return void (await refund(this, reference, chance.happens(0.5) ? { amount: 5 } : {}, { key }));
    const { refund_id, amount_pesewas } = open;
    if (chance.happens(0.7)) {
      const body = { outcome: chance.pick(['sent', 'sent', 'withdrawn']) };
      return void (await this.ask('transaction/close-refund', { key, parameters: { reference, refund_id }, body }));
    }
    const [id, device] = [this.#nextId(), DEVICES[kiosk.shops.indexOf(shop)] ?? DEVICES[0]];
    const written = transferText((amount_pesewas / 100).toFixed(2), payment?.payer_name ?? '', id);
    kiosk.arrive(device, this.#wallets.move(device, written, { id, pesewas: -amount_pesewas }));
    await kiosk.callBack();
  }

  /** Sends a code to a customer, sometimes with a used idempotency key. */
  async #sendCode(): Promise<void> {
    const shop = this.chance.pick(this.kiosk.shops);
    const key = this.chance.happens(0.1) ? shop.smsTestKey : shop.smsKey;
    const body = {
      to: `+${this.chance.pick(PHONES)}`,
      length: this.chance.between(6, 8),
      expires_in: this.chance.pick([120, 3_600, 3_600]),
      from: 'random',
    };
    const how = { key, ...(this.chance.happens(0.5) && { once: `code-${this.#keys++}` }) };
    // A client retries once without a response.
    for (let tries = 0; tries < 2; tries++) {
      const id = await sendCode(this, body, how).catch(unanswered);
      if (id === undefined) continue;
      this.#codes.push({ key, id });
      // Customers wait for the text.
      for (let n = this.chance.between(0, 24); n > 0; n--) await this.#goOn();
      return this.#checkCode();
    }
  }

  /** Enters a correct, a wrong or a guessed code, sometimes twice concurrently. */
  async #checkCode(): Promise<void> {
    const { held, sent } = this.kiosk.phones;
    const arrived = this.#codes.filter(({ id }) => sent.has(id));
    const known = arrived.length > 0 && this.chance.happens(0.8) ? arrived : this.#codes;
    if (known.length === 0) return;
    const { key, id } = this.chance.happens(0.7) ? (known.at(-1) ?? this.chance.pick(known)) : this.chance.pick(known);
    const read = this.chance.happens(0.9) ? id : this.chance.pick(this.#codes).id;
    const text = held.find((one) => one.id === read && sent.has(one.id))?.text;
    const [code = '123456'] = /\d{6,8}/.exec(text ?? '') ?? [];
    const typed = this.chance.happens(0.6) ? code : String(this.chance.between(100_000, 999_999));
    const said = { key, body: { id, code: typed }, ...(this.chance.happens(0.3) && { once: `check-${this.#keys++}` }) };
    const checkOnce = async () => {
      const answer = await this.#answerTo('verify/check', said);
      const isFirst = answer?.headers['idempotent-replayed'] === undefined;
      if (answer?.statusCode !== 200 || !isFirst || !JSON.parse(answer.body).data.verified) return;
      this.kiosk.verified.set(id, (this.kiosk.verified.get(id) ?? 0) + 1);
    };
    await Promise.all(Array.from({ length: this.chance.between(1, 3) }, checkOnce));
  }

  /** Receives a payment's text: a new one, a copy, or a different one with a known id. */
  async #pay(): Promise<void> {
    const reference = this.chance.happens(0.5)
      ? this.#anyReference()
      : this.chance.pick(['1', 'shoes', 'MK-0000000000']);
    const amount = this.chance.pick([...AMOUNTS, ...PARTS]).toFixed(2);
    const told = this.#payments.length > 0 && this.chance.happens(0.15) ? this.chance.pick(this.#payments) : undefined;
    const id = idIn(told?.text) ?? this.#nextId();
    const typed = this.chance.happens(0.2) ? asShown(reference) : reference;
    const payment = { amount, from: this.chance.pick(NAMES), reference: typed, id };
    const { text } = this.chance.happens(0.3)
      ? fromTelecel({ ...payment, phone: this.chance.pick(PHONES) })
      : mtn(payment);
    const isCopy = this.#payments.length > 0 && this.chance.happens(0.25);
    const device = this.chance.pick(DEVICES);
    const isForged = isCopy || told !== undefined;
    const booked = isForged
      ? text
      : this.#wallets.move(device, text, { id, pesewas: Math.round(Number(amount) * 100) });
    const arrived = isCopy ? this.chance.pick(this.#payments) : { text: booked, device };
    this.#payments.push(arrived);
    for (let copies = this.chance.between(1, 3); copies > 0; copies--) this.kiosk.arrive(arrived.device, arrived.text);
    await this.kiosk.callBack();
  }

  /** Receives an impossible payment, or one found in a phone's inbox. */
  async #tellUntruth(): Promise<void> {
    const [reference, amount] = [this.#anyReference(), this.chance.pick(AMOUNTS).toFixed(2)];
    const id = String(50_000_000_000 + this.chance.between(0, 999_999));
    const { text } = mtn({ amount, from: this.chance.pick(NAMES), reference: this.chance.pick([reference, '1']), id });
    const device = this.chance.pick(DEVICES);
    if (this.chance.happens(0.5)) {
      this.kiosk.arrive(device, text.replaceAll(/Balance: GHS [\d,.]+\d/g, 'Balance: GHS 0.01'));
    } else {
      const agoMs = this.chance.between(1, 400) * DAY_MS;
      this.kiosk.arrive(device, text, 'MobileMoney', false, this.kiosk.nowMs - agoMs);
    }
    await this.kiosk.callBack();
  }

  async #reverse(): Promise<void> {
    if (this.#payments.length === 0) return;
    const { text, device } = this.chance.pick(this.#payments);
    this.kiosk.arrive(device, `Transaction ${idIn(text)} has been reversed.`);
    await this.kiosk.callBack();
  }

  /** Receives a text about a payment refused by a wallet, sometimes again. */
  async #refuse(): Promise<void> {
    const isCopy = this.#refusals.length > 0 && this.chance.happens(0.3);
    const id = String(30_000_000_000 + this.chance.between(0, 999_999));
    const fresh = { text: refusal({ from: this.chance.pick(NAMES), id }).text, device: this.chance.pick(DEVICES) };
    const refused = isCopy ? this.chance.pick(this.#refusals) : fresh;
    this.#refusals.push(refused);
    for (let copies = this.chance.between(1, 3); copies > 0; copies--) this.kiosk.arrive(refused.device, refused.text);
    await this.kiosk.callBack();
  }

  async #claim(): Promise<void> {
    const reference = this.#anyReference();
    const payment = this.#payments.length > 0 ? this.chance.pick(this.#payments) : undefined;
    const transactionId = idIn(payment?.text) ?? '51111111111';
    const nameWords = this.chance.pick(NAMES).split(' ');
    await this.kiosk.faults.run('checkout/claim', async () => {
      const charge = await chargeRows.find(this.kiosk.outside, { reference });
      // An ended charge's page has no claim form.
      if (charge && !endedError(this.kiosk.outside, charge))
        await claimPayment(this.kiosk.outside, charge, {
          payments: claimedPayments(charge, transactionId),
          nameWords,
          sourceIp: '192.0.2.1',
        });
    });
  }

  /** Pays a charge from another network without a reference. */
  async #payAcross(): Promise<void> {
    const charges = this.kiosk.memory.items().filter(({ sk, state }) => sk === 'TRANSACTION' && state === 'pending');
    if (charges.length === 0) return;
    const charge = this.chance.pick(charges);
    const phone = this.chance.pick(PHONES);
    const payment = {
      amount: (Number(charge.amount_pesewas) / 100).toFixed(2),
      from: 'ESI BAIDOO',
      id: this.#nextId(),
    };
    const device = DEVICES[this.kiosk.shops.findIndex(({ id }) => id === charge.merchant_id)] ?? DEVICES[0];
    const moved = { id: payment.id, pesewas: Number(charge.amount_pesewas) };
    const arrived = { text: this.#wallets.move(device, fromTelecel({ ...payment, phone }).text, moved), device };
    this.#payments.push(arrived);
    this.#payers.push({
      reference: String(charge.reference),
      accessCode: String(charge.access_code),
      phone: `+${phone}`,
    });
    this.kiosk.arrive(arrived.device, arrived.text);
    await this.kiosk.callBack();
  }

  /** Requests and enters a claim code without pauses, because codes expire after ten minutes. */
  async #claimByPhone(): Promise<void> {
    const goOn = async () => {
      for (let n = this.chance.between(5, 25); n > 0; n--) await this.#goOn();
    };
    if (this.chance.happens(0.7)) await this.#payAcross();
    await goOn();
    await this.#askForCode();
    await goOn();
    for (let tries = this.chance.between(1, 7); tries > 0; tries--) await this.#confirmCode();
  }

  /** Requests payment instructions by text. */
  async #askForText(): Promise<void> {
    const charges = this.kiosk.memory.items().filter(({ sk }) => sk === 'TRANSACTION');
    if (charges.length === 0) return;
    await askForText(this, String(this.chance.pick(charges).access_code), `+${this.chance.pick(PHONES)}`);
  }

  async #askForCode(): Promise<void> {
    const { accessCode, phone } = this.#anyPayer();
    const asked = this.chance.happens(0.8) ? phone : `+${this.chance.pick([...PHONES, '233209876549'])}`;
    await askForCode(this, accessCode, asked).catch(unanswered);
  }

  /** Enters a received code, usually the newest, or a guess. */
  async #confirmCode(): Promise<void> {
    const { reference, accessCode, phone } = this.#anyPayer();
    const codes = this.kiosk.phones.codesTo(phone);
    const known = this.chance.happens(0.7) ? codes.at(-1) : codes[0];
    const code =
      known !== undefined && this.chance.happens(0.8) ? known : String(this.chance.between(100_000, 999_999));
    this.kiosk.typedCodes.push({ reference, phone, code });
    await confirmCode(this, accessCode, { phone, code }).catch(unanswered);
  }

  /** Picks a payer, usually the last one. */
  #anyPayer(): Payer {
    const newest = this.chance.happens(0.7) ? this.#payers.at(-1) : undefined;
    const nobody = { reference: '', accessCode: 'nobody', phone: `+${PHONES[0]}` };
    return newest ?? (this.#payers.length > 0 ? this.chance.pick(this.#payers) : nobody);
  }

  async #assign(): Promise<void> {
    const shop = this.chance.pick(this.kiosk.shops);
    const receipts = this.kiosk.memory.items().filter(({ sk }) => sk === 'RECEIPT');
    if (receipts.length === 0) return;
    const id = String(this.chance.pick(receipts).receipt_id);
    const body = { reference: this.#anyReference(), as_part: this.chance.happens(0.3) };
    await assignReceipt(this, id, body, { key: shop.liveKey });
  }

  async #cancel(): Promise<void> {
    const key = this.chance.pick(this.kiosk.shops).liveKey;
    await cancelCharge(this, this.#anyReference(), { key });
  }

  async #topUp(): Promise<void> {
    await this.kiosk.faults.run('admin', () =>
      topUp(this.kiosk.outside, this.chance.pick(this.kiosk.shops).id, this.chance.between(1, 60)),
    );
  }

  /**
   * Starts a purchase of credits, sometimes with a test key, accepts or rejects a waiting purchase as the operator, or
   * lets the shop buy again.
   */
  async #buyCredits(): Promise<void> {
    const { kiosk, chance } = this;
    const purchases = purchasesIn(kiosk.items());
    if (purchases.length > 0 && chance.happens(0.4)) return operateCredits(kiosk, chance.pick(purchases));
    const { smsKey, smsTestKey } = chance.pick(kiosk.shops);
    const once = chance.happens(0.3) ? `bundle-${chance.between(1, 9)}` : undefined;
    await buyCredits(this, BUNDLE, { key: chance.happens(0.2) ? smsTestKey : smsKey, once });
  }

  /** Creates charges, payments or texts with a test key. */
  async #test(): Promise<void> {
    const { testKey, smsTestKey } = this.chance.pick(this.kiosk.shops);
    const what = this.chance.pick(['charge', 'outcome', 'outcome', 'texts']);
    if (what === 'charge') return this.initialize(testKey);
    if (what === 'texts') {
      const { delivered, failed, slow } = magicNumbers;
      const body = { to: [delivered, failed, slow].slice(0, this.chance.between(1, 3)), message: 'Hello canary' };
      return void (await sendText(this, body, { key: smsTestKey }));
    }
    const [reference, outcome] = [this.#anyReference(), this.chance.pick(Outcome.options)];
    const once = this.chance.happens(0.5) ? `test-${this.chance.between(1, 5)}` : undefined;
    await simulateOutcome(this, reference, outcome, { key: testKey, once });
  }

  /** Returns the first response's data. @throws Unanswered */
  async ask(route: RouteName, said: CallInput = {}): Promise<unknown> {
    const answer = await this.#answerTo(route, said);
    if (answer?.statusCode !== 200) throw new Unanswered();
    this.kiosk.notePromise(route, said, answer);
    return JSON.parse(answer.body).data;
  }

  async #answerTo(route: RouteName, said: CallInput): Promise<Answer | undefined> {
    const answer = await this.kiosk.request(route, this.kiosk.callOf(route, said));
    // The response is lost.
    return this.chance.happens(0.05) ? undefined : answer;
  }

  #nextId(): string {
    this.#paymentId += this.chance.between(1, 50_000);
    return String(this.#paymentId);
  }

  #anyReference(): string {
    const { references } = this.kiosk.promised;
    return references.size > 0 ? this.chance.pick([...references]) : 'MK-0123456789';
  }
}

/** Thrown if a client gets no usable response. */
class Unanswered extends Error {}

function unanswered(error: unknown): undefined {
  if (!(error instanceof Unanswered)) throw error;
}

/** Returns the network's id in a receipt's text. */
function idIn(text: string | undefined): string | undefined {
  return /Transaction ID: (\d{11})/.exec(text ?? '')?.[1];
}

const FAULTS = ['lose-request', 'lose-answer', 'throttle', 'conflict', 'internal', 'delay'] as const;
