import { beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../infra/admin/erase-customer.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { agree } from '../../support/contacts.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { expectFailure } from '../../support/envelope.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import { answering, KOFI, LINE, ON_OTHER, OTHER_LINE, open } from './answering.ts';

let world: Scene;
let ama: Merchant;
let esi: Merchant;
const { answers, answersEach, handOver, inbox, operatorWrote, sends, wrote } = answering(() => world);
beforeEach(async () => {
  ({ world, ama, esi } = await open());
});

describe('a shared sender number', () => {
  test('ignores one shop’s stop word in replies to another shop', async () => {
    await esi.change({ stop_words: ['YES'] });
    await wrote(ama, { message: 'Will you come on Saturday?' });
    await wrote(esi, { purpose: 'marketing' });
    await answers('Yes');
    expect(await inbox(esi)).toEqual([]);
    expect((await sends(esi, { purpose: 'marketing' })).status).toBe(200);
  });

  test('stores no replies', async () => {
    await wrote(ama, { message: 'Your order is ready: what is its code?' });
    await wrote(esi);
    await answers('Hello, it is 48 29 10 and my house is the blue one');
    expect({ ama: await inbox(ama), esi: await inbox(esi) }).toEqual({ ama: [], esi: [] });
    expect(JSON.stringify(await world.scan())).not.toContain('blue one');
  });

  test('applies STOP to every shop that sent marketing from it', async () => {
    await wrote(ama, { purpose: 'marketing' });
    world.clock.nowMs += 60_000;
    await wrote(esi, { purpose: 'reminder' });
    const yaa = await shop();
    await wrote(yaa);
    await answers('STOP');
    for (const one of [ama, esi]) expectFailure(await promotes(one), 409, 'recipient_opted_out');
    expect((await promotes(yaa)).status).toBe(200);
  });

  test('applies STOP to marketing sent before the number had an owner', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const yaa = await shop();
    await yaa.change({ answers: true });
    await yaa.giveSender(LINE);
    world.clock.nowMs += 3_000;
    await wrote(yaa);
    await answers('STOP');
    for (const one of [ama, yaa]) expectFailure(await promotes(one), 409, 'recipient_opted_out');
    expect((await promotes(esi)).status).toBe(200);
    expect((await inbox(yaa)).map(({ keyword }) => keyword)).toEqual(['stop']);
  });

  test('applies STOP from a person who has been erased', async () => {
    await wrote(ama, { purpose: 'reminder' });
    world.clock.nowMs += DAY_MS;
    for (const _ of [1, 2]) await eraseCustomer(deploymentOf(world), { phone: KOFI }, { isForReal: true });
    const kept = (await world.rows('CONVERSATION')).flatMap((row) => Object.keys(row));
    const nothingSaid = ['expires_at_epoch_seconds', 'line', 'number', 'pk', 'promoters', 'sk'];
    expect(kept.toSorted()).toEqual(nothingSaid);
    await answers('STOP');
    expectFailure(await sends(ama, { purpose: 'reminder' }), 409, 'recipient_opted_out');
  });

  test('applies STOP to at most twenty merchants', async () => {
    await wrote(esi, { purpose: 'marketing' });
    world.clock.nowMs += 30 * DAY_MS + 1_000;
    const newest: Merchant[] = [];
    for (let n = 0; n < 21; n++) newest.push(await shop());
    for (const one of newest) {
      world.clock.nowMs += 1_000;
      await wrote(one, { purpose: 'marketing' });
    }
    await answers('STOP');
    const [first, ...others] = newest;
    for (const one of [esi, first]) expect((await promotes(one)).status).toBe(200);
    for (const one of others) expectFailure(await promotes(one), 409, 'recipient_opted_out');
    expect(await confirmations()).toHaveLength(1);
  });

  test('applies STOP to a merchant after twenty texts from a second merchant', async () => {
    await wrote(esi, { purpose: 'marketing' });
    for (let n = 0; n < 20; n++) {
      world.clock.nowMs += 1_000;
      await wrote(ama, { purpose: 'marketing' });
    }
    await answers('STOP');
    for (const one of [ama, esi]) expectFailure(await promotes(one), 409, 'recipient_opted_out');
  });

  test('applies STOP to a merchant that sends at the same moment', async () => {
    await wrote(ama, { purpose: 'marketing' });
    const { json } = await sends(esi, { purpose: 'marketing' });
    world.rightBefore('TransactWriteItems', () => handOver(json.data.id));
    await answers('STOP');
    for (const one of [ama, esi]) expectFailure(await promotes(one), 409, 'recipient_opted_out');
  });

  test('applies START only to the merchants that the last STOP blocked', async () => {
    for (const from of [LINE, OTHER_LINE]) await wrote(ama, { purpose: 'marketing', from });
    await answers('STOP', ON_OTHER);
    await wrote(esi, { purpose: 'marketing' });
    await answersEach(['STOP', 'START'], 60_000);
    expect((await promotes(esi)).status).toBe(200);
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
    world.clock.nowMs += 300 * DAY_MS;
    await answers('START', ON_OTHER);
    expect((await promotes(ama)).status).toBe(200);
  });

  test('applies START only once', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await answersEach(['STOP', 'START'], 60_000);
    await wrote(ama, { purpose: 'marketing', from: OTHER_LINE });
    world.clock.nowMs += 60_000;
    await answers('STOP', ON_OTHER);
    world.clock.nowMs += 600_000;
    await answers('START');
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
  });

  test('sends one confirmation per keyword, paid for by the last marketing sender', async () => {
    await wrote(ama, { purpose: 'marketing' });
    world.clock.nowMs += 1_000;
    await wrote(esi, { purpose: 'marketing' });
    await answersEach(['STOP', 'START', 'HELP'], 60_000);
    expect(await confirmations()).toEqual([
      [esi.id, 'Ama Stores and 1 more: You will get no more offers or reminders. Reply START to get them again.'],
      [esi.id, 'Ama Stores and 1 more: You will get offers and reminders again. Reply STOP to end them.'],
      [esi.id, 'Ama Stores: For questions reply to this text. Reply STOP to get no offers or reminders.'],
    ]);
    expect({ ama: await ama.balance(), esi: await esi.balance() }).toEqual({ ama: 99, esi: 96 });
    expect((await world.rows('HEARD')).map(({ ended }) => ended)).toEqual([undefined, undefined, undefined]);
  });

  test('ignores the owner’s stop word for other merchants', async () => {
    await wrote(esi, { purpose: 'marketing' });
    await ama.change({ stop_words: ['YES'] });
    await ama.giveSender(LINE);
    world.clock.nowMs += 3_000;
    await answers('Yes');
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
    expect((await promotes(esi)).status).toBe(200);
    const optedOut = (await world.scan()).filter(({ pk }) => String(pk).startsWith('OPT_OUT#'));
    expect(optedOut.map(({ pk }) => pk)).toEqual([`OPT_OUT#${ama.id}`]);
  });

  test('makes one write for a text that no merchant receives', async () => {
    await answers('warm up');
    world.requests.length = 0;
    await answers('Hello?');
    expect(world.requests).toEqual(['PutItem']);
  });

  test('makes no transaction for a STOP without marketing', async () => {
    await wrote(ama);
    world.requests.length = 0;
    await answers('STOP');
    expect(world.requests).not.toContain('TransactWriteItems');
  });
});

describe('a late or repeated STOP', () => {
  beforeEach(() => wrote(ama, { purpose: 'marketing' }));
  const at = (seconds: number) => ({ receivedAt: world.iso(seconds * 1000) });

  test('overrides an older START that is forwarded later', async () => {
    const [first, second, third] = [at(0), at(30), at(60)];
    world.clock.nowMs += 120_000;
    await answers('STOP', first);
    await answers('STOP', third);
    await answers('START', second);
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
  });

  test('has no effect if a second app forwards it after a START', async () => {
    const [first, second] = [at(0), at(30)];
    world.clock.nowMs += 120_000;
    await answers('STOP', first);
    await answers('START', second);
    await answers('STOP', first);
    expect((await promotes(ama)).status).toBe(200);
  });

  test.each([
    ['ends', [0, 'STOP'], [30, 'START'], [30, 'STOP'], 409],
    ['does not end', [0, 'STOP'], [30, 'STOP'], [30, 'START'], 200],
    ['ends', [60, 'STOP'], [0, 'STOP'], [30, 'START'], 409],
  ] as const)('%s marketing after the keywords %s, %s, %s', async (_, first, second, third, status) => {
    const [nowMs, words] = [world.clock.nowMs, [first, second, third]];
    world.clock.nowMs += 120_000;
    for (const [seconds, word] of words)
      await answers(word, { receivedAt: new Date(nowMs + seconds * 1000).toISOString() });
    expect((await promotes(ama)).status).toBe(status);
  });

  test('is undone by a later START', async () => {
    await answersEach(['STOP', 'STOP', 'START'], 200_000);
    expect((await promotes(ama)).status).toBe(200);
  });

  test('can still be undone after a START that had no effect', async () => {
    await wrote(ama, { purpose: 'marketing', from: OTHER_LINE });
    const [first, late, second] = [at(0), at(100), at(200)];
    world.clock.nowMs += 250_000;
    await answers('STOP', first);
    await answers('STOP', { ...ON_OTHER, ...second });
    await answers('START', late);
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
    await answers('START');
    expect((await promotes(ama)).status).toBe(200);
  });

  test('is stored in capitals, truncated to thirty characters', async () => {
    await answers(' Stop all ');
    const word = async () => (await world.scan()).find(({ pk }) => pk === `OPT_OUT#${ama.id}`)?.word;
    expect(await word()).toBe('STOP ALL');
    world.clock.nowMs += 200_000;
    await answers(`stop${'!'.repeat(40)}`);
    expect(await word()).toBe(`STOP${'!'.repeat(26)}`);
  });

  test('is not undone by an older START if the phone’s clock is behind', async () => {
    await answersEach(['STOP', 'START'], 60_000);
    world.clock.nowMs += 60_000;
    await wrote(ama, { purpose: 'marketing', from: OTHER_LINE });
    await answers('STOP', { ...ON_OTHER, ...at(-240) });
    expectFailure(await promotes(ama), 409, 'recipient_opted_out');
  });

  test('is shown and confirmed once if it is resent', async () => {
    await ama.giveSender(LINE);
    world.clock.nowMs += 10_000;
    for (const eventId of ['event-1', 'event-1', 'event-2']) await answers('STOP', { eventId });
    expect(await inbox(ama)).toHaveLength(1);
    expect(await confirmations()).toHaveLength(1);
    // Only the report from the second app is logged for the operator.
    expect(world.noted.filter(({ event }) => event === 'text_not_kept')).toMatchObject([
      { fields: { code: 'no_change' } },
    ]);
  });
});

describe('a merchant’s own sender number', () => {
  beforeEach(async () => {
    for (const number of [LINE, OTHER_LINE]) await ama.giveSender(number);
    world.clock.nowMs += 3_000;
  });

  test('applies START to a STOP that was sent to the other number', async () => {
    await wrote(ama, { purpose: 'marketing' });
    await wrote(ama, { from: OTHER_LINE });
    world.clock.nowMs += 60_000;
    await answers('STOP');
    const early = world.iso();
    world.clock.nowMs += 60_000;
    await answers('START', ON_OTHER);
    await answers('HELP', { ...ON_OTHER, receivedAt: early });
    expect((await promotes(ama)).status).toBe(200);
    expect((await inbox(ama)).map(({ keyword }) => keyword).toSorted()).toEqual(['help', 'start', 'stop']);
    expect((await confirmations()).map(([merchant]) => merchant)).toEqual([ama.id, ama.id, ama.id]);
  });

  test('sends no confirmations to strangers', async () => {
    await answers('HELP');
    await answers('STOP', { sender: '+233551112229' });
    await wrote(ama);
    world.clock.nowMs += 60_000;
    await answers('START');
    expect(await confirmations()).toEqual([]);
    world.clock.nowMs += 120_000;
    await answers('HELP');
    expect(await confirmations()).toHaveLength(1);
  });

  test('replies to HELP after twenty keywords in a day', async () => {
    await wrote(ama);
    await answersEach(Array(20).fill('START'), 200_000);
    await answers('HELP');
    expect(await confirmations()).toHaveLength(1);
  });
});

describe('a valid verification code', () => {
  beforeEach(async () => {
    await esi.giveSender(LINE);
    world.clock.nowMs += 3_000;
  });

  test.each([
    'It says 48 29 10',
    'My house is 4 and the street 829',
    '٤٨٢٩١٠ ok',
    'Four: ４８２９',
    '❹❽❷❾ ok',
    'stop 482910',
  ])('is hidden in a reply such as “%s”', async (words) => {
    const { json } = await ama.call('verify/start', { body: { to: KOFI, from: OTHER_LINE } });
    await handOver(json.data.id);
    await answers(words);
    await answers('It is 829 Ring Road');
    const seen = (await inbox(esi)).map(({ message }) => message).filter((message) => message !== '');
    expect(seen).toEqual(['It is 829 Ring Road']);
    expect(JSON.stringify(await world.scan())).not.toContain(words);
    world.clock.nowMs += 600_000;
    await answers('I have 1000 cedis');
    expect((await inbox(esi)).map(({ message }) => message)[0]).toBe('I have 1000 cedis');
  });

  test('is hidden in a reply if the operator sent it', async () => {
    await handOver(await operatorWrote(OTHER_LINE));
    await answers('They say 12 34 56');
    expect(await inbox(esi)).toMatchObject([{ message: '', withheld: 'may_hold_code' }]);
  });

  test('does not affect replies in test mode', async () => {
    const { json } = await ama.call('verify/start', { body: { to: KOFI, from: OTHER_LINE } });
    await handOver(json.data.id);
    const body = { from: KOFI, message: 'I have 1000 cedis' };
    expect((await world.call('test/receive', { key: esi.smsTestKey, body })).status).toBe(200);
  });

  test('does not affect replies if requested with a test key', async () => {
    const { json } = await world.call('verify/start', { key: ama.smsTestKey, body: { to: KOFI } });
    await handOver(json.data.id);
    await answers('I have 1000 cedis');
    expect(await inbox(esi)).toHaveLength(1);
  });
});

const promotes = (merchant: Merchant | undefined) =>
  merchant ? sends(merchant, { purpose: 'marketing', from: 'random' }) : Promise.reject(new Error('No merchant'));

/** Creates another merchant who may send marketing to the same person. */
async function shop(): Promise<Merchant> {
  const merchant = await world.createMerchant({ credits: 100 });
  await agree(world, merchant.id, [KOFI]);
  return merchant;
}

/** Returns the confirmations of keywords with the merchants who paid for them, in order. */
async function confirmations() {
  const sent = (await world.scan()).filter(
    ({ sk, message }) => sk === 'SEND' && /offers (and|or)/.test(String(message)),
  );
  return sent
    .toSorted((one, other) => (String(one.send_id) < String(other.send_id) ? -1 : 1))
    .map(({ merchant_id, message }) => [merchant_id, message]);
}
