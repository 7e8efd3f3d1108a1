import { quietUntilMs } from '../../shared/ghana/quiet-hours.ts';
import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { isImpossible, type Reading } from '../../shared/ghana/wallet-text/reading.ts';
import {
  DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS,
  Merchant,
  MomoAccount,
} from '../../shared/merchants/merchant/merchant.ts';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import { isSettled } from '../../shared/money/charge/charge.ts';
import { Goods, takeOf } from '../../shared/money/charge/goods.ts';
import { isOpenedByStranger, Origin } from '../../shared/money/charge/origin.ts';
import { termsOf } from '../../shared/money/charge/search.ts';
import { chargeTransitions } from '../../shared/money/charge/states.ts';
import { MAX_CODE_TRIES, MAX_CODES_OF_PAYMENT } from '../../shared/money/claims/phone-code.table.ts';
import { MAX_PART_PAYMENTS, Payment, paidPesewas, refundedPesewas } from '../../shared/money/payment/payment.ts';
import {
  isNotThere,
  isSameText,
  isTestTransactionId,
  mayShareWallet,
  Receipt,
} from '../../shared/money/receipt/receipt.ts';
import { shownIdOf } from '../../shared/money/receipt/shown-receipt.ts';
import { HOME } from '../../shared/pages/dashboard/parts/addresses.ts';
import { ReceivedEvent } from '../../shared/phones/gateway/callback.ts';
import { isAvailable, Sender } from '../../shared/phones/sender/sender.ts';
import { type MetricName, metricNames } from '../../shared/runtime/outside/metric-names.ts';
import { DAY_MS, HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { DEFAULT_LOW_BELOW } from '../../shared/texts/credits/credits.table.ts';
import { messageId, parseMessageId } from '../../shared/texts/sms/message-id.ts';
import { Send } from '../../shared/texts/sms/send.table.ts';
import { isRefunded, messageTransitions, refundedStates } from '../../shared/texts/sms/states.ts';
import {
  MAX_CODES_OF_NUMBER,
  MAX_TRIES_OF_CODE,
  MAX_WRONG_OF_MERCHANT,
  MAX_WRONG_OF_NUMBER,
} from '../../shared/texts/verification/verification.table.ts';
import { testTransitions } from '../../shared/wallets/wallet/hearing.table.ts';
import type { Counted } from '../support/world.ts';
import { marketedAfterStop, wronglyAnswered, wronglyConfirmed } from './answered.ts';
import {
  isUntoldTake,
  msOfShift,
  unsettledTakes,
  wrongWithHandOuts,
  wrongWithScanned,
  wrongWithStickers,
  wrongWithTakes,
} from './at-till.ts';
import { wronglyBooked } from './booked.ts';
import { wrongWithUnproven } from './goods.ts';
import { chargesIn, type Kiosk } from './kiosk.ts';
import { unsettledCodes, wrongWithLinks } from './links.ts';
import { newNotifications } from './listeners.ts';
import { unsettledPurchases, wrongWithPurchases } from './purchases.ts';
import { unsettledRequests, wrongWithRequests } from './requests.ts';

/** Thrown if an invariant is violated. */
export class Violation extends Error {}

type Item = Readonly<Record<string, unknown>>;

/** Grace period of a charge, plus failed housekeeping runs. */
const ENDED_WITHIN_MS = 6 * 3_600_000;

/** Checks conditions that must always hold. */
export function checkAlways(kiosk: Kiosk): void {
  const { phones, promised, denied } = kiosk;
  for (const what of denied) violated(what);
  const items = kiosk.items();
  const byKind = (sk: string) => items.filter((item) => item.sk === sk);
  const messages = items.filter(({ sk }) => String(sk).startsWith('MESSAGE#'));
  const entries = items.filter(({ sk }) => String(sk).startsWith('ENTRY#'));

  for (const { pk, balance } of byKind('BALANCE')) {
    const merchant = String(pk).slice('CREDITS#'.length);
    const added = sum(
      entries.filter((entry) => entry.pk === `CREDIT_ENTRY#${merchant}`).map(({ credits }) => Number(credits)),
    );
    const spent = sum(
      byKind('SEND')
        .filter(({ merchant_id }) => merchant_id === merchant)
        .map(({ to }) => list(to).length),
    );
    if (balance !== added - spent) violated(`balance ${balance} of ${merchant} is not ${added} added − ${spent} sent`);
    const taken = sum(
      entries
        .filter((entry) => entry.pk === `CREDIT_ENTRY#${merchant}` && entry.reason === 'taken-back')
        .map(({ credits }) => -Number(credits)),
    );
    // A send never causes a debt.
    if (Number(balance) < -taken) violated(`${merchant} owes ${-Number(balance)}, and ${taken} were taken back`);
  }

  const refunds = entries.filter(({ reason }) => reason === 'refund').map(({ message_id }) => String(message_id));
  const named = refunds.filter((id) => id !== 'undefined');
  if (new Set(named).size !== named.length) violated('a text was refunded twice');
  // Operator and test texts cost no credits.
  const ended = messages.filter(({ state }) => isRefunded(state));
  const paid = ended.filter((item) => item.merchant_id && !isTest(item));
  const perSend = (sends: readonly unknown[]) => Map.groupBy(sends.map(String), (id) => id);
  const [owed, given] = [perSend(paid.map(({ send_id }) => send_id)), perSend(creditsBySend(entries))];
  for (const id of new Set([...owed.keys(), ...given.keys()]))
    if (owed.get(id)?.length !== given.get(id)?.length)
      violated(`of ${id}, ${owed.get(id)?.length} texts ended unsent and ${given.get(id)?.length} were refunded`);
  const endedIds = new Set(paid.map(idOf));
  for (const id of refunds) if (id !== 'undefined' && !endedIds.has(id)) violated(`the text ${id} was refunded`);

  for (const [key, ids] of promised.idsByKey) if (ids.size > 1) violated(`${ids.size} sends under the key ${key}`);
  for (const [id, times] of phones.sent) if (times > 1) violated(`the text ${id} left a phone ${times} times`);

  checkTimes(kiosk, items, messages);
  checkTests(kiosk, items);
  checkCounted(items);
  checkTruth(items);
  checkPayments(items);
  checkCodes(kiosk, items);
  checkVerifications(kiosk, items);
  checkHearing(items);
  checkInsider(kiosk, items);
  checkPrices(items);
  checkNotices(kiosk, items);
  checkReceiptTexts(items);
  for (const wrongWith of WRONG_ALWAYS) for (const what of wrongWith(items)) violated(what);
}

const WRONG_ALWAYS: readonly ((items: readonly Item[]) => string[])[] = [
  ...[wrongWithLinks, wrongWithTakes, wrongWithStickers, wrongWithHandOuts],
  ...[wrongWithScanned, wrongWithUnproven, wrongWithRequests, wrongWithPurchases],
];

/** Returns each refunded credit's send. */
function creditsBySend(entries: readonly Item[]): unknown[] {
  return entries
    .filter(({ reason }) => reason === 'refund')
    .flatMap(({ send_id, message_id, credits }) =>
      Array.from({ length: Number(credits) }, () => send_id ?? parseMessageId(String(message_id))?.sendId),
    );
}

/** Maximum time of a text on its way to the gateway, including delayed calls. */
const ON_ITS_WAY_MS = 5 * 60_000;

/**
 * Checks that phones receive no text too early, too late, in quiet hours or after the text was cancelled, and no
 * reminder of a paid charge.
 */
function checkTimes({ phones }: Kiosk, items: readonly Item[], messages: readonly Item[]): void {
  const sends = new Map(items.filter(({ sk }) => sk === 'SEND').map((item) => [item.send_id, Send.parse(item)]));
  const paidMs = new Map(
    items.flatMap(({ sk, reference, paid_at }) =>
      sk === 'TRANSACTION' && paid_at !== undefined ? [[reference, Date.parse(String(paid_at))]] : [],
    ),
  );
  for (const { id, takenMs } of phones.held) {
    const send = sends.get(parseMessageId(id)?.sendId);
    if (!send || takenMs === undefined) continue;
    if (takenMs < Date.parse(send.send_at ?? send.created_at)) violated(`the text ${id} left before its time`);
    if (quietUntilMs(send.quiet_hours, takenMs) !== undefined) violated(`the text ${id} left in its quiet hours`);
    if (send.useless_at && takenMs >= Date.parse(send.useless_at)) violated(`the text ${id} left too late`);
    const isAsking = /: send GHS .* Check the name before your PIN\.$/.test(send.message);
    if (isAsking && takenMs > (paidMs.get(send.reference) ?? takenMs) + ON_ITS_WAY_MS)
      violated(`the text ${id} asked for money that was there`);
  }
  const given = new Set(phones.held.map(({ id }) => id));
  const readable = new Set(items.flatMap(({ sk, pk }) => (sk === 'CODE_TEXT' ? [String(pk).split('#')[1]] : [])));
  for (const item of messages) {
    if (item.state === 'cancelled' && given.has(idOf(item))) violated(`the text ${idOf(item)} was cancelled and left`);
    if (item.state === 'expired' && phones.sent.has(idOf(item)))
      violated(`the text ${idOf(item)} expired and was sent`);
    if (isRefunded(item.state) && readable.has(String(item.send_id)))
      violated(`the text ${item.send_id} has ended, and its code can still be read`);
  }
}

/** Checks that at most one customer receipt is texted for each charge, to the charge's payer or customer. */
function checkReceiptTexts(items: readonly Item[]): void {
  const sends = items.filter(
    ({ sk, message }) => sk === 'SEND' && / (received|reported) on .* Reference MK-/.test(String(message)),
  );
  const charges = new Map(chargesIn(items).map((charge) => [charge.reference, charge]));
  for (const { send_id, merchant_id, reference, to } of sends) {
    const charge = charges.get(String(reference));
    if (charge?.receipt_send_id !== send_id) violated(`${reference} was told by ${send_id}, and is not told by it`);
    if (charge?.merchant_id !== merchant_id) violated(`${reference} was told by another shop`);
    const payers = [...(charge?.parts ?? []), ...(charge?.payment ? [charge.payment] : [])].map(
      ({ matched_by, payer_phone }) => (matched_by === 'reference' || matched_by === 'phone' ? payer_phone : undefined),
    );
    const [number, ...others] = list(to);
    // The payment of this payer may have been removed since.
    const isKnown = charge?.unmarked_at !== undefined || [...payers, charge?.customer_phone].includes(String(number));
    if (others.length > 0 || !isKnown) violated(`${reference} was told to a stranger`);
  }
  const told = [...charges.values()].filter(({ receipt_send_id }) => receipt_send_id !== undefined);
  if (told.length !== sends.length) violated(`${told.length} charges are told, by ${sends.length} texts`);
  const unpaid = told.find(({ paid_at, unmarked_at }) => paid_at === undefined && unmarked_at === undefined);
  if (unpaid) violated(`${unpaid.reference} was told as paid`);
}

/** Checks that notifications contain only allowed data. */
function checkNotices(kiosk: Kiosk, items: readonly Item[]): void {
  const owned = new Set(
    items.flatMap((item) => {
      const { sk, reference, merchant_id } = item;
      if (sk === 'TRANSACTION') return [`${reference} ${merchant_id}`];
      if (sk !== 'RECEIPT') return [];
      const receipt = Receipt.parse(item);
      // Links for people without permission contain a different id.
      return [receipt.receipt_id, shownIdOf(receipt)].map((id) => `${id} ${merchant_id}`);
    }),
  );
  for (const { device, payload } of newNotifications(kiosk)) {
    const { kind, title, body, path } = payload;
    const words = `${title} ${body}`.replace(/ at \d\d:\d\d/, '');
    if (/\d|GHS|canary|owusu|adjei/i.test(words)) violated(`told too much: ${title}. ${body}`);
    const about = decodeURIComponent(path.split('/').at(-1) ?? '');
    // A suspected reversal may affect several charges, so its link leads to none.
    const isOfCharge = kind === 'paid' || kind === 'held' || (kind === 'undone' && path !== HOME);
    if (isOfCharge && !owned.has(`${about} ${device.merchant_id}`)) violated(`${about} was told to another shop`);
  }
}

/** Checks that numbers, names and higher limits are used only after approval. */
function checkInsider({ approved }: Kiosk, items: readonly Item[]): void {
  for (const item of items.filter((one) => one.sk === 'TRANSACTION' && !isTest(one))) {
    const { reference, merchant_id, momo_number, momo_account_name, momo_accounts } = item;
    const others = list(momo_accounts).map((one) => MomoAccount.parse(one));
    const shown = [`${momo_number} ${momo_account_name}`, ...others.map((one) => `${one.number} ${one.account_name}`)];
    const foreign = shown.find((one) => !approved.has(`${merchant_id} ${one}`));
    if (foreign) violated(`insider: ${reference} shows ${foreign}`);
  }
  for (const { merchant_id, momo_accounts, ...shop } of items
    .filter(({ sk }) => sk === 'MERCHANT')
    .map(parseMerchant)) {
    const foreign = momo_accounts.find((one) => !approved.has(`${merchant_id} ${one.number} ${one.account_name}`));
    if (foreign) violated(`insider: ${merchant_id} is paid on ${foreign.number} as ${foreign.account_name}`);
    const highest = Math.max(DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS, ...approvedLimits(approved, merchant_id));
    const { match_by_name_up_to_pesewas: limit = 0 } = shop;
    if (limit > highest) violated(`insider: ${merchant_id} matches by name up to ${limit}`);
  }
}

const ABOUT_LINKS = new Set(['link create', 'link change', 'link end', 'codes add', 'codes remove', 'sticker create']);
const PRICE = /^(amount|min|max)_pesewas$/;

/** Checks that cashiers change no prices or stock, and that owners are notified of other price changes. */
function checkPrices(items: readonly Item[]): void {
  const entries = items.filter(({ action }) => ABOUT_LINKS.has(String(action)));
  const cashiers = new Set(items.flatMap(({ role, user_id }) => (role === 'cashier' ? [user_id] : [])));
  const byCashier = entries.find(({ by }) => cashiers.has(by));
  if (byCashier) violated(`insider: a cashier did ${byCashier.action} of ${byCashier.about}`);
  const titled = items.find(({ sk, title }) => sk === 'LINK' && String(title).endsWith('of a cashier'));
  if (titled) violated(`insider: ${titled.slug} says what a cashier wrote`);
  const isPrice = (entry: Item) =>
    entry.action === 'link change' && Object.keys(entry.after ?? {}).some((name) => PRICE.test(name));
  const made = items.filter(({ sk, changes }) => String(sk).startsWith('MADE#') && list(changes).some(isOfPrice));
  const changed = entries.filter(isPrice);
  if (made.length !== changed.length)
    violated(`insider: ${changed.length} prices were changed, and ${made.length} told`);
}

function isOfPrice(change: unknown): boolean {
  return typeof change === 'object' && change !== null && 'kind' in change && change.kind === 'price';
}

function parseMerchant(item: Item): Merchant {
  return Merchant.parse(item);
}

function approvedLimits(approved: ReadonlySet<string>, merchantId: string): number[] {
  return [...approved].flatMap((one) => (one.startsWith(`${merchantId} limit `) ? [Number(one.split(' ')[2])] : []));
}

/** Checks that tests cost no credits, reach no phone and never mix with live data. */
function checkTests({ phones }: Kiosk, items: readonly Item[]): void {
  const credits = items.find(({ pk }) => /^CREDIT.*_test/.test(String(pk)));
  if (credits) violated(`a test has credits: ${credits.pk}`);
  for (const { send_id, to } of items.filter((item) => item.sk === 'SEND' && isTest(item))) {
    const left = list(to).find((_, index) => phones.sent.has(messageId(String(send_id), index)));
    if (left !== undefined) violated(`a test's text ${send_id} left a phone`);
  }
  for (const item of items.filter(({ sk }) => sk === 'TRANSACTION')) {
    const { parts = [], payment, reference } = Charge.parse(item);
    const stray = [...parts, ...(payment ? [payment] : [])].find(
      ({ transaction_id }) => isTestTransactionId(transaction_id) !== isTest(item),
    );
    if (stray) violated(`${stray.transaction_id} paid ${reference}: one is a test, and the other is not`);
  }
  for (const item of items.filter(({ sk }) => sk === 'RECEIPT')) {
    const isMadeUp = isTestTransactionId(String(item.transaction_id));
    if (isMadeUp !== isTest(item)) violated(`the receipt ${item.receipt_id} belongs to ${item.merchant_id}`);
  }
}

function isTest({ merchant_id }: Item): boolean {
  return typeof merchant_id === 'string' && isTestAccount(merchant_id);
}

/** Checks that no charge is paid through an impossible text, or through a text that is older than the charge. */
function checkTruth(items: readonly Item[]): void {
  const charges = new Map(items.filter(({ sk }) => sk === 'TRANSACTION').map((item) => [item.reference, item]));
  const matched = items.filter((item) => item.sk === 'RECEIPT' && item.state === 'matched' && !isTest(item));
  for (const item of matched) {
    const { receipt_id, reference, matched_by, received_at, sender, text } = item;
    if (matched_by === 'hand') continue;
    if (isImpossible(readWalletText(String(sender), String(text)))) violated(`an impossible text paid: ${receipt_id}`);
    const made = Date.parse(String(charges.get(reference)?.created_at));
    const take = takeOf({ goods: Goods.safeParse(charges.get(reference)?.goods).data });
    const byText = matched_by === 'reference' || matched_by === 'name';
    const earliest = take ? msOfShift(take) : byText ? made - 5 * 60_000 : made - 30 * 60_000;
    if (Date.parse(String(received_at)) < earliest) violated(`an old text paid: ${receipt_id}`);
  }
}

/** Checks that each payment counts once, for its charge. */
function checkCounted(items: readonly Item[]): void {
  const of = (kind: string) => items.filter(({ sk }) => sk === kind);
  const charges = of('TRANSACTION').map((item) => Charge.parse(item));
  const receipts = new Map(of('RECEIPT').map((item) => [String(item.receipt_id), item]));
  const isUse = ({ sk }: Item) => sk === 'PAYMENT' || String(sk).startsWith('TYPED#');
  const uses = new Map(items.filter(isUse).map(({ pk, sk, reference }) => [`${pk} ${sk}`, reference]));
  const counted = charges.flatMap((charge) => {
    const { state, reference, parts = [], payment, amount_pesewas } = charge;
    const [paid, isByHand] = [paidPesewas(charge), payment?.matched_by === 'hand'];
    if (state === 'success' && paid < amount_pesewas && !isByHand) violated(`${reference} is paid with too little`);
    if (state === 'pending' && paid >= amount_pesewas) violated(`${reference} waits, though all of it has arrived`);
    if (state === 'success') return [...parts, ...(payment ? [payment] : [])].map((one) => ({ ...one, reference }));
    if (state === 'pending') return parts.map((one) => ({ ...one, reference }));
    // The charge’s payments are held again or reassigned.
    const stuck = parts.map(({ receipt_id }) => receipts.get(receipt_id)).find((one) => one?.reference === reference);
    if (stuck) violated(`${reference} ended, and its part ${stuck.receipt_id} is not held again`);
    return [];
  });
  if (new Set(counted.map(({ receipt_id }) => receipt_id)).size !== counted.length)
    violated('one receipt paid two charges');
  for (const { receipt_id, reference, amount_pesewas, network, transaction_id, marked } of counted) {
    const receipt = receipts.get(receipt_id);
    if (receipt?.state !== 'matched' || receipt.reference !== reference || receipt.amount_pesewas !== amount_pesewas)
      violated(`${reference} counts the receipt ${receipt_id}, which is ${receipt?.state} for ${receipt?.reference}`);
    const kind = marked ? `TYPED#${receipt?.merchant_id}` : 'PAYMENT';
    // Another wallet’s text may have taken over the payment.
    const isUsed = uses.get(`PAYMENT#${network}#${transaction_id} ${kind}`) === reference;
    if (isUsed === (receipt?.use_lost === true))
      violated(`the payment ${transaction_id} is counted for ${reference} and not used for it`);
  }
  const matched = [...receipts.values()].filter(({ state }) => state === 'matched');
  if (matched.length !== counted.length) violated(`${matched.length} receipts are matched, ${counted.length} counted`);
}

/** Checks that a payment counts towards one charge, and that matching by name requires the full name. */
function checkPayments(items: readonly Item[]): void {
  const payments = items.flatMap(({ sk, state, parts, payment, customer_name }) =>
    sk === 'TRANSACTION' && (state === 'pending' || state === 'success')
      ? [...list(parts), payment].flatMap((one) => {
          const { data } = Payment.safeParse(one);
          return data ? [{ ...data, customer: String(customer_name ?? '') }] : [];
        })
      : [],
  );
  // Another wallet’s text may have taken over the id. The first charge then stays paid.
  const lost = new Set(items.flatMap(({ receipt_id, use_lost }) => (use_lost ? [receipt_id] : [])));
  const using = payments.filter(({ receipt_id }) => !lost.has(receipt_id));
  const ids = using.map(({ network, transaction_id }) => `${network} ${transaction_id}`);
  if (new Set(ids).size !== ids.length) violated('one payment paid two charges');
  for (const { matched_by, payer_name = '', customer, transaction_id } of payments) {
    const words = customer.split(' ');
    const isPayers = words.length >= 2 && words.every((word) => payer_name.split(' ').includes(word));
    if (matched_by === 'name' && !isPayers) violated(`${transaction_id} of ${payer_name} was matched to ${customer}`);
  }
}

/** Checks the limits on claim codes and that only a code sent to the paying number confirms a charge. */
function checkCodes({ typedCodes }: Kiosk, items: readonly Item[]): void {
  const codes = items.filter(({ sk }) => sk === 'CODE');
  const texts = items.filter(({ sk, merchant_id, purpose }) => sk === 'SEND' && !merchant_id && !purpose);
  const receipts = new Map(items.filter(({ sk }) => sk === 'RECEIPT').map((item) => [item.receipt_id, item]));
  for (const { pk, codes: count, tries } of codes) {
    if (Number(count ?? 0) > MAX_CODES_OF_PAYMENT) violated(`${pk} had ${count} codes`);
    if (Number(tries ?? 0) > MAX_CODE_TRIES) violated(`${pk} had ${tries} tries`);
  }
  const counted = sum(codes.map(({ codes: count }) => Number(count ?? 0)));
  if (counted !== texts.length) violated(`${texts.length} texts with codes, and ${counted} were counted`);
  for (const [phone, sent] of Object.entries(Object.groupBy(texts, ({ to }) => String(to)))) {
    const times = (sent ?? []).map(({ created_at }) => Date.parse(String(created_at))).toSorted((a, b) => a - b);
    const tooMany = times.some((time, n) => time - (times[n - MAX_CODES_OF_PAYMENT] ?? 0) < DAY_MS);
    if (tooMany) violated(`${phone} had more than three codes in a day`);
  }
  for (const { sk, payment, reference } of items) {
    const { receipt_id, matched_by } = Payment.safeParse(payment).data ?? {};
    if (sk !== 'TRANSACTION' || matched_by !== 'phone') continue;
    const { said_phone, payer_phone } = receipts.get(receipt_id) ?? {};
    const isRight = typedCodes.some(
      (typed) =>
        typed.reference === reference &&
        typed.phone === (payer_phone ?? said_phone) &&
        texts.some(({ to, message }) => list(to).includes(typed.phone) && String(message).startsWith(typed.code)),
    );
    if (!isRight) violated(`${reference} was paid without a code that came to ${said_phone}`);
  }
}

/**
 * Checks that verification codes are limited, used once and stored as hashes, and that only the newest one is valid.
 */
function checkVerifications({ verified }: Kiosk, items: readonly Item[]): void {
  const codes = items.filter(({ sk }) => sk === 'VERIFICATION');
  const sends = new Map(items.filter(({ sk }) => sk === 'SEND').map((send) => [send.send_id, send]));
  for (const [id, times] of verified) if (times > 1) violated(`the code ${id} was right ${times} times`);
  for (const { send_id, tries, code_hash } of codes) {
    if (Number(tries) > MAX_TRIES_OF_CODE) violated(`the code ${send_id} had ${tries} tries`);
    if (verified.has(String(send_id)) && code_hash !== undefined)
      violated(`the code ${send_id} was right, and is not used`);
    const { has_code, message } = sends.get(send_id) ?? {};
    if (!has_code) violated(`the code ${send_id} has no text`);
    if (/\d{6}/.test(String(message))) violated(`the text ${send_id} shows its code`);
  }
  for (const { pk, merchant_id, to, newest, sent_ms, wrong } of items.filter(({ pk }) => isOf(pk, 'NUMBER'))) {
    const times = list(sent_ms).map(Number);
    const isFull = times.some((ms, n) => ms - (times[n - MAX_CODES_OF_NUMBER.hour] ?? 0) < HOUR_MS);
    if (isFull || times.length > MAX_CODES_OF_NUMBER.day) violated(`${pk} had too many codes`);
    if (Number(wrong) < 0 || Number(wrong) > MAX_WRONG_OF_NUMBER) violated(`${pk} had ${wrong} wrong ones`);
    const last = codes.filter((code) => code.merchant_id === merchant_id && code.to === to).map(timeOf);
    const newestCode = codes.find(({ send_id }) => send_id === newest);
    if (newestCode && last.some((time) => time > timeOf(newestCode)))
      violated(`${pk} takes an old code for the newest`);
  }
  for (const { pk, sk, codes: counted, wrong = 0 } of items.filter(({ pk }) => isOf(pk, 'DAY'))) {
    const isHere = (code: Item) => pk === `VERIFICATION_DAY#${code.merchant_id}` && timeOf(code).startsWith(String(sk));
    const made = codes.filter(isHere).length;
    if (Number(counted) < made) violated(`${pk} counted ${counted} of ${made} codes`);
    if (Number(wrong) < 0 || Number(wrong) > MAX_WRONG_OF_MERCHANT) violated(`${pk} had ${wrong} wrong ones`);
  }
}

const isOf = (pk: unknown, what: string) => String(pk).startsWith(`VERIFICATION_${what}#`);
const timeOf = ({ created_at }: Item) => String(created_at);

/** Returns the parsed texts of the phones. */
function readingsOf({ thanked }: Kiosk): Reading[] {
  return thanked.map(({ sender, message }) => readWalletText(sender, message));
}

/** Checks that every reported payment is stored, and that contradicted charges are disputed. */
function checkTexts(kiosk: Kiosk, items: readonly Item[]): void {
  const receipts = items.filter(({ sk }) => sk === 'RECEIPT');
  for (const reading of readingsOf(kiosk)) {
    if (reading.kind !== 'payment') continue;
    const { transactionId, amountPesewas, payerName } = reading;
    const isKept = receipts.some(
      ({ transaction_id, amount_pesewas, payer_name }) =>
        transaction_id === transactionId && amount_pesewas === amountPesewas && payer_name === payerName,
    );
    if (!isKept) violated(`${transactionId} over ${amountPesewas} of ${payerName} arrived and is not kept`);
  }
  for (const { parts, payment, reference, state, disputed } of items.filter(({ sk }) => sk === 'TRANSACTION')) {
    // The parts of an ended charge are held and disputed themselves.
    const counted = state === 'pending' || state === 'success' ? list(parts) : [];
    for (const one of [...counted, payment]) checkConflicts(receipts, one, reference, disputed);
  }
}

function checkConflicts(receipts: readonly Item[], payment: unknown, reference: unknown, disputed: unknown): void {
  const { receipt_id, transaction_id, received_at } = Payment.safeParse(payment).data ?? {};
  const own = Receipt.safeParse(receipts.find((one) => one.receipt_id === receipt_id)).data;
  // A text to another wallet proves nothing about this payment, and a copy of its own text contradicts only others.
  const isBeside = (one: Receipt) => own !== undefined && mayShareWallet(own, one) && !isSameText(own, one);
  const conflicts = receipts.filter(
    (one) =>
      one.receipt_id !== receipt_id &&
      one.transaction_id === transaction_id &&
      one.reason === 'conflict' &&
      isBeside(Receipt.parse(one)),
  );
  // The person who assigned the payment, found it in the wallet or missed the other's money had seen both texts.
  const isDecided = (one: Item) =>
    own?.agreed_by?.includes(String(one.receipt_id)) === true || isNotThere(Receipt.parse(one));
  const came = conflicts.filter((one) => String(one.received_at) > String(received_at) && !isDecided(one));
  const isByHand = Payment.safeParse(payment).data?.matched_by === 'hand';
  if (came.length > 0 && !isByHand && !disputed) violated(`${reference} is not disputed, though texts differ`);
}

/** Checks that each refused payment is stored once per merchant. */
function checkRefusals(kiosk: Kiosk, items: readonly Item[]): void {
  const refusals = items.filter(({ kind }) => kind === 'payment_refused');
  for (const reading of readingsOf(kiosk)) {
    if (reading.kind !== 'no_money' || !reading.refusedPayment) continue;
    const id = reading.transactionId;
    if (!refusals.some(({ transaction_id }) => transaction_id === id)) violated(`the refusal of ${id} is not kept`);
  }
  const told = refusals.flatMap((one) => (one.merchant_id ? [`${one.merchant_id} ${one.transaction_id}`] : []));
  if (new Set(told).size !== told.length) violated('one refused payment is kept twice for a merchant');
}

/** Checks that a settled text is stored only in its receipt. */
function checkForgotten(items: readonly Item[]): void {
  for (const { pk, event, gsi2pk, stranger } of items.filter(({ sk }) => sk === 'PHONE_EVENT')) {
    const isForgotten = stranger ? event === undefined : ReceivedEvent.parse(event).payload.message === '';
    if (gsi2pk !== undefined || !isForgotten) violated(`${pk} keeps the words of a text`);
  }
}

/** Checks conditions that must hold at the end. */
export function checkAtTheEnd(kiosk: Kiosk): void {
  const { memory, phones, promised, queues } = kiosk;
  const items = kiosk.items();
  for (const unsettled of [unsettledCodes, unsettledTakes, unsettledPurchases])
    for (const what of unsettled(items)) violated(what);
  for (const what of unsettledRequests(kiosk)) violated(what);
  const readable = new Set(items.flatMap(({ sk, pk }) => (sk === 'CODE_TEXT' ? [String(pk).split('#')[1]] : [])));
  for (const { send_id, sk } of items)
    if (String(sk).startsWith('MESSAGE#') && readable.has(String(send_id)))
      violated(`the text ${send_id} has ended, and its code can still be read`);
  const tests = new Set(items.filter(isTest).map(({ send_id }) => send_id));
  const messages = new Map(
    items.filter(({ sk }) => String(sk).startsWith('MESSAGE#')).map((item) => [idOf(item), item]),
  );
  const accepted = items
    .filter(({ sk }) => sk === 'SEND')
    .flatMap(({ send_id, to }) => list(to).map((_, index) => messageId(String(send_id), index)));
  for (const id of promised.messageIds)
    if (!accepted.includes(id)) violated(`the text ${id} was promised and is not there`);
  for (const id of accepted) {
    const state = messages.get(id)?.state ?? 'pending';
    if (state !== 'delivered' && !isRefunded(state)) violated(`the text ${id} is ${state} in the end`);
    const isOfTest = tests.has(messages.get(id)?.send_id);
    if (state === 'delivered' && !isOfTest && !phones.sent.has(id))
      violated(`the text ${id} reads delivered and never left`);
  }
  for (const reference of promised.references) {
    if (!items.some((item) => item.sk === 'TRANSACTION' && item.reference === reference))
      violated(`${reference} is lost`);
  }
  for (const event of items.filter(({ sk }) => sk === 'EVENT')) {
    const { event_id, state, is_kept } = event;
    const isEnded = (state === 'delivered' && (!is_kept || isTest(event))) || state === 'gave_up';
    if (!isEnded) violated(`the webhook event ${event_id} is ${state} in the end`);
  }
  const lost = queues.deadLetters.filter(({ queue }) => queue !== 'deliver-sms');
  if (lost.length > 0) violated(`${lost.length} dead letters that are no texts: ${lost[0]?.body}`);
  for (const { reference, state, expires_at } of items.filter(({ sk }) => sk === 'TRANSACTION')) {
    const isNoted = items.some((item) => String(item.pk).startsWith('EXPIRY') && item.reference === reference);
    if (state === 'pending' && !isNoted) violated(`${reference} will never expire`);
    if (state === 'pending' && kiosk.nowMs > Date.parse(String(expires_at)) + ENDED_WITHIN_MS)
      violated(`${reference} should have expired at ${expires_at}`);
  }
  for (const { pk, kind, about } of items)
    if (String(pk).startsWith('FOLLOW_UP#')) violated(`the follow-up job ${kind} of ${about} is not done in the end`);
  for (const what of wronglyBooked(items)) violated(what);
  for (const what of wronglyAnswered(memory.records)) violated(what);
  for (const what of marketedAfterStop(kiosk)) violated(what);
  for (const what of wronglyConfirmed(items)) violated(what);
  checkFound(items);
  checkCancelled(items);
  checkGoingBack(items);
  checkMoves(memory.records);
  checkTexts(kiosk, items);
  checkRefusals(kiosk, items);
  checkForgotten(items);
  checkCounts(kiosk);
  checkTold(kiosk);
  checkSenders(items);
  if (kiosk.phones.inbox.length > 0)
    violated(`${kiosk.phones.inbox.length} texts stay lost though the phones were asked`);
}

/** Checks that the service sends a wallet's number at most two test texts a day. */
function checkHearing(items: readonly Item[]): void {
  const tests = items.filter(({ sk, purpose }) => sk === 'SEND' && purpose === 'hearing_test');
  for (const [number, sent] of Object.entries(Object.groupBy(tests, ({ to }) => String(to)))) {
    const times = (sent ?? []).map(({ created_at }) => Date.parse(String(created_at))).toSorted((a, b) => a - b);
    if (times.some((time, n) => time - (times[n - 2] ?? 0) < DAY_MS)) violated(`${number} had three tests in a day`);
  }
}

/** Checks that no sender stays on hold after its fault is over. */
function checkSenders(items: readonly Item[]): void {
  for (const sender of items.filter(({ pk }) => pk === 'SENDER').map((item) => Sender.parse(item))) {
    if (sender.receives_only ? sender.fault : !isAvailable(sender))
      violated(`${sender.number} is still held back: ${sender.held_back ?? sender.fault?.reason}`);
  }
}

/** Checks that all gauges are 0, because false alarms would be ignored. */
export function checkQuiet({ measured }: Kiosk): void {
  for (const name of GAUGES) if (measured[name] !== 0) violated(`${name} is ${measured[name]} in the end`);
}
const GAUGES = [
  'phones_not_heard',
  'callbacks_not_understood',
  'senders_held_back',
  'texts_overdue',
  'receipts_overdue',
  'webhooks_off',
] as const satisfies readonly MetricName[];

/** Checks that the metrics are complete. Repeated stream records may count twice. */
function checkCounts(kiosk: Kiosk): void {
  const { counted } = kiosk;
  const items = kiosk.items().filter((item) => !isTest(item));
  const messages = items.filter(({ sk }) => String(sk).startsWith('MESSAGE#'));
  const [merchants, operators] = [
    messages.filter(({ merchant_id }) => merchant_id),
    messages.filter(({ merchant_id, purpose }) => !merchant_id && !purpose),
  ];
  const texts = (...states: string[]) => merchants.filter(({ state }) => states.includes(String(state))).length;
  const sends = items.filter(({ sk }) => sk === 'SEND');
  const charges = items.filter(({ sk }) => sk === 'TRANSACTION');
  const least: Counted = {
    texts_accepted: sum(sends.filter(({ merchant_id }) => merchant_id).map(({ to }) => list(to).length)),
    texts_sent: texts('sent', 'delivered'),
    texts_delivered: texts('delivered'),
    texts_failed: texts('failed', 'expired'),
    credits_refunded: texts(...refundedStates),
    codes_accepted: sends.filter(({ merchant_id, purpose }) => !merchant_id && !purpose).length,
    codes_delivered: operators.filter(({ state }) => state === 'delivered').length,
    codes_failed: operators.filter(({ state }) => state === 'failed' || state === 'expired').length,
    codes_without_sender: items.filter(({ sk, no_sender_at }) => sk === 'CODE' && no_sender_at).length,
    charges_created: charges.length,
    charges_paid: charges.filter(({ paid_at }) => paid_at !== undefined).length,
    payments_disputed: items.filter(({ disputed, reason }) => disputed !== undefined || reason === 'conflict').length,
    payments_refused: items.filter(({ kind }) => kind === 'payment_refused').length,
    receipts_matched: items.filter(({ sk, state }) => sk === 'RECEIPT' && state === 'matched').length,
    webhooks_given_up: items.filter(({ sk, state }) => sk === 'EVENT' && state === 'gave_up').length,
  };
  for (const name of metricNames) {
    const [is, mustBe] = [counted[name] ?? 0, least[name] ?? 0];
    if (is < mustBe) violated(`${name} was counted ${is} times and happened ${mustBe} times`);
  }
}

/**
 * Checks that merchants receive one webhook event for every payment, refused payment, finished text and low balance.
 */
function checkTold(kiosk: Kiosk): void {
  const { memory } = kiosk;
  const items = kiosk.items();
  const partsOf = (merchantId: unknown) =>
    memory.records.filter(({ dynamodb }) => {
      const [had = [], has = []] = [dynamodb?.OldImage, dynamodb?.NewImage].map((image) =>
        (image?.parts?.L ?? []).map(({ M }) => M?.receipt_id?.S),
      );
      const { merchant_id, state } = dynamodb?.NewImage ?? {};
      const isInPlace = has.length === MAX_PART_PAYMENTS && !had.includes(has.at(-1));
      return merchant_id?.S === merchantId && state?.S === 'pending' && (has.length > had.length || isInPlace);
    }).length;
  /** Returns the changes that undid a payment: a mark, or an unverified payment that was not in the wallet. */
  const undoneOf = (merchantId: unknown) =>
    memory.records.filter(({ dynamodb }) => {
      const { OldImage: had = {}, NewImage: has = {} } = dynamodb ?? {};
      return has.merchant_id?.S === merchantId && has.unmarked_at?.S !== had.unmarked_at?.S;
    });
  /** Returns the number of changes that undid a payment that a charge needed. */
  const reopenedOf = (merchantId: unknown) =>
    undoneOf(merchantId).filter(
      ({ dynamodb }) => dynamodb?.OldImage?.state?.S === 'success' && dynamodb.NewImage?.state?.S !== 'success',
    ).length;
  /** Returns charges whose dispute ended with an undone mark. */
  const clearedOf = (merchantId: unknown) =>
    memory.records.filter(({ dynamodb }) => {
      const { OldImage: had = {}, NewImage: has } = dynamodb ?? {};
      return has?.merchant_id?.S === merchantId && had.disputed !== undefined && has?.disputed === undefined;
    }).length;
  /** Returns the number of disputes in which a reversal came into doubt later. Each is reported once more. */
  const doubtedLaterOf = (merchantId: unknown) =>
    new Set(
      memory.records.flatMap(({ dynamodb }) => {
        const { OldImage: had = {}, NewImage: has = {} } = dynamodb ?? {};
        const isLater = had.disputed !== undefined && !isReversalDoubted(had) && isReversalDoubted(has);
        const dispute = [has.reference, has.unmarked_at, has.earlier_dispute_at].map((field) => field?.S).join(' ');
        return has.merchant_id?.S === merchantId && isLater ? [dispute] : [];
      }),
    ).size;
  const endpoints = items.filter(({ sk, disabled_at }) => sk === 'WEBHOOK' && disabled_at === undefined);
  for (const { merchant_id, key_kind } of endpoints) {
    const theirs = items.filter((item) => item.merchant_id === merchant_id);
    const events = theirs.filter(({ sk }) => sk === 'EVENT');
    const told = (type: string) => events.filter((item) => item.key_kind === key_kind && item.type === type).length;
    const hasOther = theirs.some((item) => item.sk === 'WEBHOOK' && item.key_kind !== key_kind);
    const isHeard = (type: string) =>
      /^(sms|credits)\./.test(type) ? key_kind === 'sms' || !hasOther : key_kind === 'live';
    const charges = (time: string) =>
      theirs.filter((item) => item.sk === 'TRANSACTION' && item[time] !== undefined).length;
    // Taps that were undone or reversed in time are not reported.
    const untold = (time: string) =>
      theirs.filter((item) => item.sk === 'TRANSACTION' && item[time] !== undefined && isUntoldTake(item)).length;
    const texts = (end: string) =>
      theirs.filter(({ sk, state }) => String(sk).startsWith('MESSAGE#') && state === end).length;
    const toTell = {
      'charge.success': charges('paid_at') + reopenedOf(merchant_id) - untold('paid_at'),
      'charge.unmarked': undoneOf(merchant_id).length,
      'charge.partly_paid': partsOf(merchant_id),
      // A stranger’s expired charge is reported only if it was partly paid.
      'charge.expired': theirs.filter(
        ({ sk, expired_at, origin, parts }) =>
          sk === 'TRANSACTION' &&
          expired_at !== undefined &&
          (!isOpenedByStranger({ origin: Origin.parse(origin) }) || list(parts).length > 0),
      ).length,
      'charge.cancelled': charges('cancelled_at') - untold('cancelled_at'),
      'charge.reversed': charges('reversed_at'),
      'charge.disputed': charges('disputed') + clearedOf(merchant_id) + doubtedLaterOf(merchant_id),
      'sms.delivered': texts('delivered'),
      'sms.failed': texts('failed'),
      'sms.expired': texts('expired'),
      'sms.cancelled': texts('cancelled'),
      'sms.received': theirs.filter(({ sk }) => String(sk).startsWith('ANSWER#')).length,
      'credits.low': timesLow(memory.records, String(merchant_id)),
      'wallet.payment_refused': theirs.filter(({ kind }) => kind === 'payment_refused').length,
    };
    for (const [type, happened] of Object.entries(toTell)) {
      const due = isHeard(type) ? happened : 0;
      if (told(type) !== due) violated(`${type} was told ${told(type)} times to ${key_kind} and ${due} were due`);
    }
  }
}

type Image = NonNullable<NonNullable<Kiosk['memory']['records'][number]['dynamodb']>['NewImage']>;

function isReversalDoubted({ disputed, payment, parts }: Image): boolean {
  const payments = [payment?.M, ...(parts?.L ?? []).map(({ M }) => M)];
  const isSuspected = payments.some((one) => one?.reversal_suspected_at !== undefined);
  const { why, reversal_at } = disputed?.M ?? {};
  return disputed !== undefined && (why?.S === 'reversal' || reversal_at !== undefined || isSuspected);
}

/** Checks that charges can be found by all of their search terms. */
function checkFound(items: readonly Item[]): void {
  const lookups = items.filter(({ pk }) => String(pk).startsWith('LOOKUP#'));
  const byReference = Map.groupBy(lookups, ({ reference }) => reference);
  for (const item of items.filter(({ sk }) => sk === 'TRANSACTION')) {
    const [rows, terms] = [byReference.get(item.reference)?.length ?? 0, termsOf(Charge.parse(item)).size];
    if (rows < terms) violated(`${item.reference} is found by ${rows} of its ${terms} terms`);
  }
}

/** Checks that refunds are covered by payments, and that each waiting second payment belongs to a paid charge. */
function checkGoingBack(items: readonly Item[]): void {
  const charges = chargesIn(items);
  for (const { reference, refunds, ...charge } of charges) {
    const isOpen = refunds?.some(({ state }) => state === 'noted') ?? false;
    if (isOpen && (charge.state !== 'success' || refundedPesewas(refunds) > paidPesewas(charge)))
      violated(`${reference} is ${charge.state}, and more is to go back than was paid for it`);
  }
  const unpaid = new Set(charges.filter((charge) => !isSettled(charge)).map(({ reference }) => reference));
  for (const { receipt_id, reason, suggested_reference, set_aside } of items.filter(({ sk }) => sk === 'RECEIPT'))
    if (reason === 'already_paid' && unpaid.has(String(suggested_reference)) && !set_aside)
      violated(`${receipt_id} waits as the second payment of a charge that is not paid`);
}

/** Checks that cancelled charges are paid only by hand. Undoing a tap cancels a till charge. */
function checkCancelled(items: readonly Item[]): void {
  for (const { cancelled_at, paid_at, payment, reference, goods } of items.filter(({ sk }) => sk === 'TRANSACTION')) {
    if (Object(goods).kind === 'take') continue;
    const how = Payment.safeParse(payment).data?.matched_by;
    if (cancelled_at && paid_at && how !== 'hand') violated(`${reference} was cancelled, and paid by ${how}`);
  }
}

/** Returns how often a balance fell below its threshold after a top-up. */
function timesLow(records: Kiosk['memory']['records'], merchantId: string): number {
  let times = 0;
  // A balance raised by refunds is reported once.
  let isLifted = true;
  for (const [n, { dynamodb }] of records.entries()) {
    if (dynamodb?.Keys?.pk?.S !== `CREDITS#${merchantId}`) continue;
    const [before, after] = [dynamodb.OldImage, dynamodb.NewImage].map((image) => Number(image?.balance?.N ?? 0));
    const threshold = Number(dynamodb.NewImage?.low_below?.N ?? DEFAULT_LOW_BELOW);
    const isLow = Number(after) < threshold;
    // A top-up's entry is written in the same transaction.
    if (!isLow && records[n + 1]?.dynamodb?.NewImage?.reason?.S === 'top-up') isLifted = true;
    if (!isLifted || !isLow || Number(before) < threshold) continue;
    times += 1;
    isLifted = false;
  }
  return times;
}

/** Checks that all state transitions are in the transition tables. */
function checkMoves(records: Kiosk['memory']['records']): void {
  for (const { dynamodb } of records) {
    const sk = dynamodb?.Keys?.sk?.S ?? '';
    const from = dynamodb?.OldImage?.state?.S;
    const to = dynamodb?.NewImage?.state?.S;
    if (!to || from === to) continue;
    const table: Readonly<Record<string, readonly string[] | undefined>> | undefined = sk.startsWith('MESSAGE#')
      ? messageTransitions
      : sk === 'TRANSACTION'
        ? chargeTransitions
        : dynamodb?.Keys?.pk?.S === 'HEARING'
          ? testTransitions
          : undefined;
    if (table && from !== undefined && !table[to]?.includes(from)) violated(`${sk} went from ${from} to ${to}`);
  }
}

function violated(what: string): never {
  throw new Violation(what);
}

function idOf({ send_id, index }: Item): string {
  return messageId(String(send_id), Number(index));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
