import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import {
  address,
  askKiosk,
  askShop,
  chooseMobileMoney,
  kioskUrl,
  lookNow,
  newProduct,
  notesOf,
  pause,
  runSchedule,
  simulate,
  stockOf,
  testKey,
} from './shop.mjs';

/**
 * Entry point of `npm run thousand`: pays ORDERS orders while events to the shop are dropped, delayed, duplicated and
 * reordered. After the hourly check, no order may be pending. Each must be paid once, with its own payment's id, and
 * reduce the stock once. Requires a new service: a test key allows 2,000 charges and payments a day.
 */
const count = Number(process.env.ORDERS ?? 1000);
const port = Number(process.env.PORT ?? 5740);
/** Number of concurrent customers. */
const width = 6;
const started = Date.now();
const say = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);

const hook = await askKiosk('GET', '/api/v1/webhook');
const receiver = await startReceiver(hook.url);
await askKiosk('PUT', '/api/v1/webhook', {
  url: `http://localhost:${port}/hook`,
  ...(hook.events && { events: hook.events }),
});
try {
  const product = await newProduct(`One of a thousand ${started}`, '12.55', count + 10);
  const orders = await createOrders(product.id);
  say(`${orders.length} orders`);
  const charged = await inTurns(orders, width, async (order, at) => {
    if (at % 100 === 99) say(`${at + 1} chosen to be paid by mobile money`);
    return { ...order, page: await choose(order) };
  });
  assert.equal(new Set(charged.map(({ page }) => page)).size, count, 'each order has a page of its own');
  const references = await referencesOf(charged);
  say('each has its charge');

  const paid = await inTurns(charged, width, async ({ id }, at) => {
    if (at % 100 === 99) say(`${at + 1} paid; so far ${JSON.stringify(receiver.fates)}`);
    const charge = await simulate(references.get(id), 'paid');
    assert.equal(charge.status, 'success');
    return { id, payment: charge.payment.transaction_id };
  });
  assert.equal(new Set(paid.map(({ payment }) => payment)).size, count);
  await receiver.settle(count);
  say(`the receiver: ${JSON.stringify(receiver.fates)}`);
  const before = await statuses(paid);
  say(`before the look: ${JSON.stringify(tally(before))}`);

  let now = before;
  for (let looks = 1; [...now.values()].some(({ status }) => status !== 'processing') && looks <= 60; looks++) {
    // A scheduled check and a manual check can coincide.
    await Promise.all([lookNow(), lookNow(), runSchedule()]);
    now = await statuses(paid);
    say(`after ${looks} looks: ${JSON.stringify(tally(now))}`);
  }
  assert.deepEqual(tally(now), { processing: count });
  for (const { id, payment } of paid) assert.equal(now.get(id).transaction_id, payment, `order ${id}`);
  assert.equal(await stockOf(product.id), 10, 'each order took one from the stock, once');
  say('each has its own payment, and the stock is right');
  const twice = [];
  await inTurns(paid, width, async ({ id }) => {
    const arrived = (await notesOf(id)).filter((note) => note.includes('arrived from')).length;
    if (arrived !== 1) twice.push({ id, arrived });
  });
  assert.deepEqual(twice, []);
  say('and each was told of its payment once. 0 pending.');
} finally {
  await askKiosk('PUT', '/api/v1/webhook', { url: hook.url, ...(hook.events && { events: hook.events }) });
  receiver.stop();
}

async function createOrders(product) {
  const batches = Array.from({ length: Math.ceil(count / 20) }, (_, at) => Math.min(20, count - at * 20));
  const made = await inTurns(batches, width, async (length) => {
    const order = {
      status: 'pending',
      billing: { ...address, email: 'kofi@example.com' },
      line_items: [{ product_id: product, quantity: 1 }],
    };
    const { create } = await askShop('POST', 'orders/batch', { create: Array(length).fill(order) });
    return create.map(({ id, order_key }) => ({ id, key: order_key }));
  });
  return made.flat();
}

async function choose(order) {
  for (let tries = 1; ; tries++) {
    try {
      return await chooseMobileMoney(order);
    } catch (error) {
      // A test key is limited to ten requests per second, so the customer retries.
      if (tries === 5) throw error;
      await pause(1000);
    }
  }
}

async function referencesOf(orders) {
  const wanted = new Set(orders.map(({ id }) => String(id)));
  const found = new Map();
  for (let cursor = ''; found.size < wanted.size; ) {
    const page = await askKioskForPage(`/api/v1/transaction?per_page=100&cursor=${cursor}`);
    for (const { merchant_reference, reference } of page.data.transactions) {
      if (wanted.has(merchant_reference) && !found.has(Number(merchant_reference))) {
        found.set(Number(merchant_reference), reference);
      }
    }
    cursor = page.meta.next;
    if (!cursor) break;
  }
  assert.equal(found.size, wanted.size);
  return found;
}

async function askKioskForPage(path) {
  for (;;) {
    const answer = await fetch(kioskUrl + path.replace(/&cursor=$/, ''), {
      headers: { authorization: `Bearer ${testKey}` },
    });
    if (answer.ok) return answer.json();
    await pause(1000);
  }
}

async function statuses(orders) {
  const wanted = orders.map(({ id }) => id);
  const found = new Map();
  for (let at = 0; at < wanted.length; at += 100) {
    const ids = wanted.slice(at, at + 100);
    const page = await askShop('GET', `orders?per_page=100&include=${ids.join()}&_fields=id,status,transaction_id`);
    for (const order of page) found.set(order.id, order);
  }
  assert.equal(found.size, wanted.length);
  return found;
}

function tally(orders) {
  const counts = {};
  for (const { status } of orders.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function inTurns(all, width, work) {
  const results = [];
  let next = 0;
  const go = async () => {
    while (next < all.length) {
      const at = next++;
      results[at] = await work(all[at], at);
    }
  };
  await Promise.all(Array.from({ length: width }, go));
  return results;
}

/**
 * A proxy that disrupts events to the shop. Out of twenty, nine never arrive (connection dropped, or accepted and
 * lost),
 * four arrive twice at once, four arrive late in reverse order, and three arrive normally.
 */
async function startReceiver(shop) {
  const fates = { killed: 0, lost: 0, doubled: 0, late: 0, plain: 0 };
  const late = [];
  let on = 0;
  let underWay = 0;
  const forward = async (headers, body) => {
    underWay++;
    try {
      const kept = Object.entries(headers).filter(([name]) => name.startsWith('webhook-') || name === 'content-type');
      await fetch(shop, { method: 'POST', headers: Object.fromEntries(kept), body });
    } finally {
      underWay--;
    }
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const fate = ['killed', 'lost', 'doubled', 'late', 'plain'][
      [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 0][on++ % 20]
    ];
    fates[fate]++;
    if (fate === 'killed') return request.socket.destroy();
    if (fate === 'late') {
      late.push([request.headers, body]);
      // Within the service's 15-second timeout.
      await pause(3000);
    }
    response.writeHead(204).end();
    if (fate === 'plain') await forward(request.headers, body).catch(() => undefined);
    if (fate === 'doubled') await Promise.allSettled([forward(request.headers, body), forward(request.headers, body)]);
  });
  await new Promise((ready) => server.listen(port, '127.0.0.1', ready));
  return {
    fates,
    /** Waits for this many events, forwards the late ones in reverse order, and waits for the shop's responses. */
    async settle(events) {
      const end = Date.now() + 300_000;
      while (Object.values(fates).reduce((sum, one) => sum + one, 0) < events && Date.now() < end) await pause(500);
      for (const [headers, body] of late.reverse()) await forward(headers, body).catch(() => undefined);
      while (underWay > 0) await pause(200);
    },
    stop: () => server.close().closeAllConnections(),
  };
}
