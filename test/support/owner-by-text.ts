import { handler as smsgate } from '../../functions/callback/smsgate.ts';
import { handler as app } from '../../functions/dashboard/app.ts';
import { handler as deliverPush } from '../../functions/work/deliver-push.ts';
import { handler as followUp } from '../../functions/work/follow-up.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { handler as relay } from '../../functions/work/relay.ts';
import { handler as runFollowUp } from '../../functions/work/run-follow-up.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { setProve } from './actions.ts';
import { visit } from './dashboard.ts';
import { type Arrival, receivedEvent, rows, signedCallback } from './receipts.ts';
import { asScene, type Person, type Shop } from './scene.ts';
import { establishedBook, type WalletBook } from './wallet-book.ts';
import { useAtAllHours } from './wallet-chains.ts';
import { call, callWorker, createSender, databaseOf, queueEvent, type World } from './world.ts';

/** A shop whose owner answers questions by text, with the shop's wallet and the number that sends the questions. */
export interface Asked {
  readonly shop: Shop;
  readonly owner: Person;
  readonly number: string;
  readonly line: string;
  readonly book: WalletBook;
}

export interface Question {
  readonly text: string;
  readonly code: string;
}

/** Creates a shop with an enforced chain and an owner with a verified phone number. */
export async function askedShop(world: World, { line, number }: Pick<Asked, 'line' | 'number'>): Promise<Asked> {
  const shop = await asScene(world).createShop();
  await topUp(world.outside, shop.id, 1_000);
  const book = await establishedBook(world, shop, 6);
  const wallet = { network: shop.network, momo_number: shop.number };
  await useAtAllHours(world, wallet);
  await setProve(world.outside, wallet, 'enforce');
  const owner = await shop.signIn('owner');
  const asked = { shop, owner, number, line, book };
  await switchAnswersOn(world, asked);
  const { code } = await lastQuestion(world, shop);
  await write(world, asked, `YES ${code}`);
  return asked;
}

export async function switchAnswersOn(
  world: World,
  { owner, number }: Pick<Asked, 'owner' | 'number'>,
  form: Readonly<Record<string, string>> = {},
): Promise<void> {
  world.clock.nowMs += 1_000;
  const to = number.replace('+233', '0');
  const said = { to, texts_per_day: '20', wallet: 'on', answers: 'on', ...form };
  const answer = await visit(world, app, '/dashboard/app/text', { by: owner, form: said });
  if (answer.status !== 303) throw new Error(`The form responded with status ${answer.status}: ${answer.text}`);
  await run(world);
}

/** Registers a sending number on a phone without a shop. */
export async function createLine(world: World, line: string): Promise<void> {
  await createSender(world, line, 'device-2');
}

export async function questions(world: World, { id }: Pick<Shop, 'id'>): Promise<Question[]> {
  const sends = (await rows(world, 'SEND')).filter(({ merchant_id, has_code }) => merchant_id === id && has_code);
  const texts = new Map((await rows(world, 'CODE_TEXT')).map(({ pk, text }) => [String(pk), String(text)]));
  return sends
    .toSorted((one, other) => (String(one.send_id) < String(other.send_id) ? -1 : 1))
    .map(({ send_id }) => texts.get(`CODE_TEXT#${send_id}`) ?? '')
    .map((text) => ({ text, code: /\b(?=[A-Z2-9]*\d)(?=[A-Z2-9]*[A-Z])[A-Z2-9]{8}\b/.exec(text)?.[0] ?? '' }));
}

export async function lastQuestion(world: World, shop: Pick<Shop, 'id'>): Promise<Question> {
  const last = (await questions(world, shop)).at(-1);
  if (!last) throw new Error('No question was sent by text');
  return last;
}

/** Lists the texts to the shop's owner, except the verification code. */
export async function told(world: World, { id }: Pick<Shop, 'id'>): Promise<string[]> {
  return (await rows(world, 'SEND'))
    .filter(({ merchant_id, has_code }) => merchant_id === id && !has_code)
    .toSorted((one, other) => (String(one.send_id) < String(other.send_id) ? -1 : 1))
    .map(({ message }) => String(message))
    .filter((message) => !message.includes('You can now answer'));
}

type Written = [between: Pick<Asked, 'number' | 'line'>, text: string, how?: Partial<Arrival>];

/** Delivers a text from the owner's number, or a spoofed one, and runs the resulting jobs. */
export async function write(world: World, ...written: Written): Promise<void> {
  world.clock.nowMs += 1_000;
  await arrives(world, ...written);
  await run(world);
}

/** Like `write`, but does not run the resulting jobs. */
export async function arrives(world: World, ...[{ number, line }, text, how]: Written): Promise<void> {
  const event = receivedEvent(world, { device: 'device-2', recipient: line, ...how, sender: number, text });
  const { status } = await call(world, smsgate, signedCallback(world, event));
  if (status !== 200) throw new Error(`The phone's post got status ${status}`);
}

export async function pass(world: World, minutes: number): Promise<void> {
  world.clock.nowMs += minutes * 60_000;
  await callWorker(world, housekeeping);
  await run(world);
}

export async function run(world: World): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const records = databaseOf(world).records();
    const fresh = records.slice(seen.get(world) ?? 0);
    seen.set(world, records.length);
    for (const reader of [relay, followUp]) {
      const Records = fresh
        .filter((record) => isWanted(record, reader.row))
        .map((record) => ({
          ...record,
          dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: world.clock.nowMs / 1000 },
        }));
      const { batchItemFailures } = await callWorker(world, reader, { Records });
      if (batchItemFailures.length > 0) throw new Error('A change was not processed', { cause: world.logged.at(-1) });
    }
    const jobs = world.queued.splice(0, world.queued.length);
    for (const [queue, worker] of [
      ['settle-receipt', settleReceipt],
      ['deliver-push', deliverPush],
      ['run-follow-up', runFollowUp],
    ] as const) {
      const bodies = jobs.filter((one) => one.queue === queue).map(({ job }) => job.body);
      // Queues deliver at least once, so each job runs twice.
      for (const body of bodies.flatMap((one) => [one, one])) {
        const { batchItemFailures } = await callWorker(world, worker, queueEvent([body]));
        if (batchItemFailures.length > 0) throw new Error(`A job of ${queue} failed`, { cause: world.logged.at(-1) });
      }
    }
    if (jobs.length === 0 && databaseOf(world).records().length === records.length) return;
  }
}

const seen = new WeakMap<World, number>();

export async function answered(world: World, { id }: Pick<Shop, 'id'>): Promise<Item[]> {
  const month = world.iso().slice(0, 7);
  const items = await world.outside.table.list(`AUDIT#${id}#${month}`);
  return items.filter(({ after, action }) => action !== 'device answer' && Object(after).answered === 'by text');
}
