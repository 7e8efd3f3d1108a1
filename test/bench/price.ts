import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { createCharge, pageStatus, sendText } from '../../infra/local/story/steps.ts';
import { EXPIRY_GRACE_SECONDS } from '../../shared/money/charge/expiry.table.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { DEFAULT_MESSAGES_PER_HOUR } from '../../shared/phones/sender/sender.ts';
import { setWebhook } from '../support/actions.ts';
import { liveHolder } from '../support/holders.ts';
import { mtn } from '../support/receipts.ts';
import { scan, sendRow } from '../support/rows.ts';
import { createWorld, goToNoon, type World } from '../support/world.ts';
import type { Figure } from './figure.ts';
import { PRICES } from './prices.ts';
import { type Bill, Story } from './story.ts';
import { initializeEvent, readyMerchant, SENDER, sendEvent } from './world.ts';

/**
 * P10: cost of a million runs of each story at AWS's list prices in eu-west-1, including storage. Only the time that a
 * function waits is assumed (`story.ts`). Idle costs, internet traffic and cold starts are excluded.
 */
export async function priceStories(): Promise<Figure[]> {
  return [
    figureOf('charges: paid after a minute, with a webhook', await chargeStory()),
    figureOf('charges: unpaid, expired after a day, with a webhook', await endStory()),
    figureOf('sends: to one number, delivered', await sendStory(1)),
    figureOf('sends: to one number, delivered, with a webhook', await sendStory(1, { webhook: true })),
    figureOf('sends: to 50 numbers, delivered at 100 an hour', await sendStory(50)),
  ];
}

/** Returns the metrics that a paid charge, a delivered text and housekeeping publish. */
export async function reportedMetrics(): Promise<ReadonlySet<string>> {
  const shop = await shopOfStory();
  await chargeStory(shop);
  const world = await worldOfStory();
  await sendStory(1, { webhook: true, world });
  return new Set([...Object.keys(shop.world.counted), ...Object.keys(world.counted)]);
}

/** Seconds that a customer's page polls before the payment. */
const PAGE_SECONDS = 60;
const FIRST_POLL_SECONDS = secondsInScript('FIRST_MS');
const POLL_SECONDS = secondsInScript('USUAL_MS');

function secondsInScript(name: string): number {
  const script = readFileSync('shared/pages/checkout/checkout.js', 'utf8');
  const ms = new RegExp(`const ${name} = (\\d+);`).exec(script)?.[1];
  if (!ms) throw new Error(`The checkout's script has no ${name}`);
  return Number(ms) / 1000;
}

/** Starts at noon, because some housekeeping depends on the hour. */
async function worldOfStory(): Promise<World> {
  const world = await createWorld({ inMemory: true });
  goToNoon(world);
  return world;
}

async function shopOfStory() {
  const world = await worldOfStory();
  const merchant = await readyMerchant(world.outside);
  await setWebhook(world.outside, liveHolder(merchant.id), 'https://shop.example.com/hooks');
  return { world, merchant, story: new Story(world), begun: await scan(world) };
}

async function endStory(): Promise<Bill> {
  const { world, merchant, story, begun } = await shopOfStory();
  const { body } = initializeEvent(merchant.liveKey);
  const charge = await createCharge(story, body ?? '', { key: merchant.liveKey });
  await story.request('checkout/page', { parameters: { access_code: charge.access_code } });
  await story.goOn();
  world.clock.nowMs = Date.parse(String(charge.expires_at)) + (EXPIRY_GRACE_SECONDS + 60) * 1000;
  await story.keepHouse();
  await story.goOn();
  if (world.posted.length !== 1) throw new Error(`${world.posted.length} webhooks were sent`);
  await story.keep(begun);
  return story.bill;
}

async function chargeStory(shop?: Awaited<ReturnType<typeof shopOfStory>>): Promise<Bill> {
  const { world, merchant, story, begun } = shop ?? (await shopOfStory());
  const { body } = initializeEvent(merchant.liveKey);
  const charge = await createCharge(story, body ?? '', { key: merchant.liveKey });
  const checkout = { parameters: { access_code: charge.access_code } };
  await story.request('checkout/page', checkout);
  const poll = () => pageStatus(story, charge.access_code);
  for (let seconds = FIRST_POLL_SECONDS; seconds <= PAGE_SECONDS; seconds += POLL_SECONDS) {
    world.clock.nowMs += (seconds === FIRST_POLL_SECONDS ? FIRST_POLL_SECONDS : POLL_SECONDS) * 1000;
    await poll();
  }
  await story.arrive({ ...mtn({ reference: charge.reference }), recipient: charge.momo_number });
  await story.goOn();
  const last = await poll();
  if (last !== 'success') throw new Error(`The charge is ${last}`);
  await story.request('checkout/page', checkout);
  if (world.posted.length !== 1) throw new Error(`${world.posted.length} webhooks were sent`);
  await story.keep(begun);
  return story.bill;
}

interface SendOptions {
  readonly webhook?: boolean;
  readonly world?: World;
}

async function sendStory(recipients: number, { webhook = false, world: given }: SendOptions = {}): Promise<Bill> {
  const world = given ?? (await worldOfStory());
  const merchant = await readyMerchant(world.outside);
  await addSender(world.outside, { ...SENDER, messages_per_hour: DEFAULT_MESSAGES_PER_HOUR });
  if (webhook) await setWebhook(world.outside, liveHolder(merchant.id), 'https://shop.example.com/hooks');
  const story = new Story(world);
  const begun = await scan(world);
  deliverAll(world);
  const { body } = sendEvent(merchant.smsKey, recipients);
  const { id } = await sendText(story, body ?? '', { key: merchant.smsKey });
  // Housekeeping checks a send repeatedly until all of its texts have been delivered.
  for (;;) {
    const next = (await sendRow(world, id))?.next_check_at;
    if (typeof next !== 'string') break;
    await story.goOn(Date.parse(next) + 1_000);
    await story.keepHouse();
  }
  // Count only requests with a body, because housekeeping's requests to the gateway have none.
  const handedOver = world.fetched.filter(({ body }) => body).length;
  if (handedOver !== recipients) throw new Error(`${handedOver} texts were handed over`);
  if (webhook) await story.goOn();
  if (webhook && world.posted.length !== 1) throw new Error(`${world.posted.length} webhooks were sent`);
  await story.keep(begun);
  return story.bill;
}

/** Delivers every text immediately. The gateway reports this on request. */
function deliverAll(world: World): void {
  const { gateway } = world;
  const ids: string[] = [];
  const delivered = (id: string) => ({ id, state: 'Delivered', recipients: [], states: {} });
  world.gateway = async (request) => {
    const id = /\/messages\/(.+)$/.exec(request.url)?.[1];
    if (id) return Response.json(delivered(id));
    if (request.method === 'GET' && request.url.includes('/messages?')) {
      const { searchParams } = new URL(request.url);
      const offset = Number(searchParams.get('offset'));
      return Response.json(ids.slice(offset, offset + Number(searchParams.get('limit'))).map(delivered));
    }
    if (request.method === 'POST') ids.push(HandedOver.parse(await request.clone().json()).id);
    return gateway(request);
  };
}

const HandedOver = z.object({ id: z.string() });

function figureOf(what: string, bill: Bill): Figure {
  const parts = partsOf(bill);
  const value = dollarsOfAMillion(bill);
  const { apiRequests, invocations, writeUnits, readUnits, queueRequests } = bill;
  const detail = `${apiRequests} API request${apiRequests === 1 ? '' : 's'}, ${invocations} invocations, ${writeUnits} write and ${readUnits} read units, ${queueRequests} SQS requests`;
  return { id: 'P10', what: `one million ${what}`, value, unit: '$', detail, parts };
}

/** Cost of a million runs with this bill, in US dollars at list prices. */
export function dollarsOfAMillion(bill: Bill): number {
  return Object.values(partsOf(bill)).reduce((sum, dollars) => sum + dollars, 0);
}

function partsOf(bill: Bill): Record<string, number> {
  return {
    'API Gateway': bill.apiRequests * PRICES.apiRequest * MILLION,
    'Lambda, requests': bill.invocations * PRICES.invocation * MILLION,
    'Lambda, time': bill.lambdaGigabyteSeconds * PRICES.lambdaGigabyteSecond * MILLION,
    'DynamoDB, writes': bill.writeUnits * PRICES.writeUnit * MILLION,
    'DynamoDB, reads': bill.readUnits * PRICES.readUnit * MILLION,
    'DynamoDB, rows and backups': (bill.storedByteMonths / 1e9) * PRICES.storedGigabyteMonth * MILLION,
    'DynamoDB, stream': 0,
    SQS: bill.queueRequests * PRICES.queueRequest * MILLION,
    'CloudWatch, logs': (bill.logBytes / 1e9) * PRICES.logGigabyte * MILLION,
  };
}

export const MILLION = 1e6;
