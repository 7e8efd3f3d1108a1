import { readFileSync } from 'node:fs';

/**
 * Connects tests to a running shop and its Momo Kiosk: as customers through the Store API, as the owner through
 * WooCommerce's REST API, and as the merchant through the service's API.
 */
const shopUrl = needed('SHOP_URL');
const kiosk = kioskOf();
const authorization = `Basic ${Buffer.from(`${needed('SHOP_USER')}:${needed('SHOP_PASSWORD')}`).toString('base64')}`;

export const testKey = kiosk.test_secret_key;
export const kioskUrl = kiosk.base_url;
export { shopUrl };

function needed(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(
      `Set ${name}: the tests of a shop need SHOP_URL, SHOP_USER and SHOP_PASSWORD (an application password of an administrator), and KIOSK_DEMO (the demo.json of npm start).`,
    );
  }
  return value;
}

function kioskOf() {
  return JSON.parse(readFileSync(needed('KIOSK_DEMO'), 'utf8'));
}

/** Calls the service with the shop's test key. Retries after the requested delay. */
export async function askKiosk(method, path, body, key = testKey) {
  for (;;) {
    const answer = await fetch(kioskUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = await answer.json();
    if (answer.ok) return parsed.data;
    if (answer.status !== 429 && answer.status !== 503) {
      throw new Error(`${method} ${path}: ${answer.status} ${parsed.message}`);
    }
    await pause(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

export const simulate = (reference, outcome) =>
  askKiosk('POST', `/api/v1/test/transaction/${reference}/simulate`, { outcome });

export async function askShop(method, path, body) {
  const answer = await fetch(`${shopUrl}/wp-json/wc/v3/${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

export const address = {
  first_name: 'Kofi',
  last_name: 'Mensah',
  address_1: '1 High Street',
  city: 'Accra',
  state: 'AA',
  postcode: 'GA-100',
  country: 'GH',
  phone: '0241234567',
};

/** Places an order at the checkout block and returns it with its payment page. Throws the shop's error message. */
export async function placeOrder(productId, { quantity = 1, billing = {} } = {}) {
  const customer = await startCart();
  await customer.ask('POST', 'cart/add-item', { id: productId, quantity });
  const answer = await customer.ask('POST', 'checkout', {
    billing_address: { ...address, email: 'kofi@example.com', ...billing },
    shipping_address: address,
    payment_method: 'momo_kiosk',
  });
  return {
    id: answer.order_id,
    key: answer.order_key,
    page: answer.payment_result.redirect_url,
    reference: await referenceOf(answer.order_id),
  };
}

export async function chooseMobileMoney({ id, key }) {
  const answer = await fetch(
    `${shopUrl}/wp-json/wc/store/v1/checkout/${id}?key=${key}&billing_email=kofi@example.com`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cart-token': await emptyCart() },
      body: JSON.stringify({
        key,
        billing_email: 'kofi@example.com',
        billing_address: { ...address, email: 'kofi@example.com' },
        shipping_address: address,
        payment_method: 'momo_kiosk',
      }),
    },
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`order ${id}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text).payment_result.redirect_url;
}

export async function payAgain(order) {
  const page = await chooseMobileMoney(order);
  return { page, reference: await referenceOf(order.id) };
}

/** Customers share a token, because their carts are empty. */
let token;
function emptyCart() {
  token ??= fetch(`${shopUrl}/wp-json/wc/store/v1/cart`).then((answer) => answer.headers.get('cart-token'));
  return token;
}

async function startCart() {
  const first = await fetch(`${shopUrl}/wp-json/wc/store/v1/cart`);
  const headers = { 'cart-token': first.headers.get('cart-token'), 'content-type': 'application/json' };
  await first.text();
  return {
    async ask(method, path, body) {
      const answer = await fetch(`${shopUrl}/wp-json/wc/store/v1/${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 400)}`);
      return JSON.parse(text);
    },
  };
}

export async function referenceOf(orderId) {
  const { meta_data } = await askShop('GET', `orders/${orderId}`);
  return meta_data.findLast(({ key }) => key === '_momo_kiosk_reference')?.value;
}

export const orderOf = (id) => askShop('GET', `orders/${id}`);

export const notesOf = async (id) =>
  (await askShop('GET', `orders/${id}/notes`)).reverse().map(({ note }) => note.replaceAll('&#8217;', '’'));

/**
 * Checks every unpaid order with the tool under WooCommerce, Status, Tools. Scheduled actions check the remaining
 * orders.
 */
export async function lookNow() {
  return askShop('PUT', 'system_status/tools/momo_kiosk_look', { confirm: true });
}

/** Runs the scheduled work of WordPress and Action Scheduler, like the host's cron. */
export const runSchedule = () => fetch(`${shopUrl}/wp-cron.php?doing_wp_cron`).then((answer) => answer.text());

export async function until(tell, seconds = 150) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const told = await tell();
    if (told) return told;
    if (Date.now() > end) throw new Error(`not so within ${seconds} seconds: ${tell}`);
    await pause(500);
  }
}

export const newProduct = (name, price, stock) =>
  askShop('POST', 'products', {
    name,
    type: 'simple',
    regular_price: price,
    manage_stock: true,
    stock_quantity: stock,
    virtual: true,
    status: 'publish',
  });

export const stockOf = async (id) => (await askShop('GET', `products/${id}`)).stock_quantity;

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
