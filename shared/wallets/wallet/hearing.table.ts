/*
 * hearing test    HEARING / <number>                      the last test of whether a wallet's phone hears, and whether it is tested
 * hearing phone   HEARING / <number>#<gateway>#<device>   when the wallet got the last text that this phone posted
 *
 * Few, and read together.
 */
import { onceEvery } from '../../runtime/outside/once-every.ts';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import { mayBecome } from '../../runtime/table/transitions.ts';
import {
  type Hearing,
  HearingPhone,
  HearingTest,
  TESTS_WINDOW_MS,
  type TestState,
  testTransitions,
} from './hearing.ts';

const PARTITION = 'HEARING';
const testKey = (number: string) => ({ pk: PARTITION, sk: number });
const phoneKey = (number: string, { gateway, device_id }: Place) => ({
  pk: PARTITION,
  sk: `${number}#${gateway}#${device_id}`,
});

interface Place {
  readonly gateway: string;
  readonly device_id: string;
}

/** A wallet's texts are noted this often for each phone that posts them, however many there are. */
const NOTED_MS = 15 * 60 * 1000;
/** A phone that has posted no text of a wallet for this long no longer counts as one that hears it. */
const PHONE_KEPT_SECONDS = 30 * 24 * 60 * 60;
const MAX_PHONES = 4;
/** Sorts before every time: there was no test before the first. */
const NEVER = '';

const isDue = onceEvery(NOTED_MS / 1000);

/** Records that a phone posted a text which a wallet got `at` (ISO). */
export async function noteWalletHeard(outside: TimedOutside, number: string, place: Place, at: string): Promise<void> {
  const Key = phoneKey(number, place);
  const atMs = Date.parse(at);
  // By the text's own time: an old one that a phone posts late must not keep a new one from being noted.
  if (!isDue(outside, `${Key.sk} ${Math.floor(atMs / NOTED_MS)}`)) return;
  await outside.table.update({
    update: {
      Key,
      UpdateExpression:
        'SET #number = :number, gateway = :gateway, device_id = :device, heard_at = :at, expires_at_epoch_seconds = :gone',
      ConditionExpression: 'attribute_not_exists(heard_at) OR heard_at <= :earlier',
      ExpressionAttributeNames: { '#number': 'number' },
      ExpressionAttributeValues: {
        ':number': number,
        ':gateway': place.gateway,
        ':device': place.device_id,
        ':at': at,
        ':earlier': new Date(atMs - NOTED_MS).toISOString(),
        ':gone': Math.floor(outside.now() / 1000) + PHONE_KEPT_SECONDS,
      },
    },
  });
}

/** Sets whether the hearing of a wallet is tested when it is silent; it is unless this says otherwise. */
export async function setCanary(outside: TimedOutside, number: string, isOn: boolean): Promise<void> {
  await outside.table.update({
    update: isOn
      ? { Key: testKey(number), UpdateExpression: 'REMOVE canary_off_at' }
      : {
          Key: testKey(number),
          UpdateExpression: 'SET canary_off_at = :now',
          ExpressionAttributeValues: { ':now': new Date(outside.now()).toISOString() },
        },
  });
}

/** What is known of how these wallets are heard, in their order: all of it is one read. */
export async function hearingOf(outside: TimedOutside, numbers: readonly string[]): Promise<Hearing[]> {
  const items = await outside.table.list(PARTITION);
  const phones = items.flatMap((item) => HearingPhone.safeParse(item).data ?? []).filter(isCurrent);
  return numbers.map((number) => {
    const item = items.find(({ sk }) => sk === number);
    const heardBy = phones
      .filter((phone) => phone.number === number)
      .toSorted((a, b) => (a.heard_at < b.heard_at ? 1 : -1));
    return {
      number,
      canary: item?.canary_off_at === undefined,
      phones: heardBy.slice(0, MAX_PHONES),
      test: item && testOf(item),
    };
  });

  /** DynamoDB deletes up to two days late. */
  function isCurrent({ heard_at }: HearingPhone): boolean {
    return outside.now() - Date.parse(heard_at) < PHONE_KEPT_SECONDS * 1000;
  }
}

/** The tests with this nonce: one, or none. */
export async function findTest(outside: TimedOutside, nonceHash: string): Promise<HearingTest | undefined> {
  const items = await outside.table.list(PARTITION);
  const item = items.find(({ nonce_hash }) => nonce_hash === nonceHash);
  return item && testOf(item);
}

/** A row may only say that its wallet is not tested. */
function testOf(item: Item): HearingTest | undefined {
  return HearingTest.safeParse(item).data;
}

/** What is new in a test. */
export type NewTest = Pick<
  HearingTest,
  'number' | 'nonce_hash' | 'send_id' | 'from' | 'gateway' | 'device_id' | 'misses'
>;

/** Starts a test, unless one is waiting, two were started within a day, or its wallet is not to be tested. */
export function startTest({ now }: Clock, test: NewTest): TableWrite {
  const { condition, names, values } = mayBecome(testTransitions, 'waiting', 'none');
  const set = { ...test, state: 'waiting' };
  return {
    update: {
      Key: testKey(test.number),
      UpdateExpression: `SET ${Object.keys(set)
        .map((name) => `#${name} = :${name}`)
        .join(', ')}, before_at = if_not_exists(started_at, :never), started_at = :now REMOVE returned_at`,
      ConditionExpression: `${condition} AND (attribute_not_exists(before_at) OR before_at <= :day_ago) AND attribute_not_exists(canary_off_at)`,
      ExpressionAttributeNames: { ...names, ...Object.fromEntries(Object.keys(set).map((name) => [`#${name}`, name])) },
      ExpressionAttributeValues: {
        ...values,
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ':never': NEVER,
        ':now': new Date(now()).toISOString(),
        ':day_ago': new Date(now() - TESTS_WINDOW_MS).toISOString(),
      },
    },
    refused: () => undefined,
  };
}

/** Ends a test that waits. False if it does not, or another one has begun. */
export async function endTest(
  outside: TimedOutside,
  { number, nonce_hash }: HearingTest,
  to: Exclude<TestState, 'none' | 'waiting'>,
): Promise<boolean> {
  const { condition, names, values } = mayBecome(testTransitions, to);
  const also = {
    heard: ', heard_at = :now, misses = :none',
    missed: ', missed_at = :now, misses = misses + :one',
    not_sent: '',
    dropped: '',
  };
  const used = {
    heard: { ':now': new Date(outside.now()).toISOString(), ':none': 0 },
    missed: { ':now': new Date(outside.now()).toISOString(), ':one': 1 },
    not_sent: {},
    dropped: {},
  };
  const item = await outside.table.update({
    update: {
      Key: testKey(number),
      UpdateExpression: `SET #state = :state${also[to]}`,
      ConditionExpression: `${condition} AND nonce_hash = :nonce`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':state': to, ':nonce': nonce_hash, ...used[to] },
    },
  });
  return item !== undefined;
}

/** Records that the text of a missed test was in the phone's inbox all the same. */
export async function noteReturned(outside: TimedOutside, { number, nonce_hash }: HearingTest): Promise<void> {
  await outside.table.update({
    update: {
      Key: testKey(number),
      UpdateExpression: 'SET returned_at = if_not_exists(returned_at, :now)',
      ConditionExpression: '#state = :missed AND nonce_hash = :nonce',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: {
        ':now': new Date(outside.now()).toISOString(),
        ':missed': 'missed',
        ':nonce': nonce_hash,
      },
    },
  });
}
