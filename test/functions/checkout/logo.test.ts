import { beforeEach, describe, expect, test } from 'vitest';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { pictures } from '../../support/pictures.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { pay } from './charges.ts';

const PATH = '/dashboard/settings/checkout';
let world: Scene;
let merchant: Merchant;
let manager: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  manager = await merchant.signIn('manager');
});

const upload = (bytes: Buffer, by = manager) => by.visit(`${PATH}/logo`, { form: {}, files: { logo: bytes } });
const remove = (by = manager) => by.visit(`${PATH}/logo/remove`, { form: {} });
const current = async () => (await requireMerchant(world.outside, merchant.id)).logo;
const get = (id = 'none') => world.call('checkout/logo', { path: `/logo/${id}`, parameters: { id } });
const rows = async () => await world.rows('LOGO');

async function open(charge?: CreatedCharge) {
  const { access_code } = charge ?? (await merchant.createCharge());
  return world.call('checkout/page', { path: `/checkout/${access_code}`, parameters: { access_code } });
}

describe('a shop’s logo', () => {
  test('appears on each charge after upload', async () => {
    expect((await upload(pictures.jpeg)).status).toBe(303);
    world.clock.nowMs += 60_000;
    const id = await current();
    const { text, headers } = await open();
    const address = `${world.outside.baseUrl}/logo/${id}`;
    expect(text).toMatch(new RegExp(`<img [^>]*src="${address}" alt=""`));
    expect(headers['content-security-policy']).toContain(`; img-src ${address} data:;`);
    const test = await open(await { ...merchant, liveKey: merchant.testKey }.createCharge());
    expect(test.text).toContain(address);
  });

  test('appears on a paid charge', async () => {
    await upload(pictures.png);
    world.clock.nowMs += 60_000;
    const charge = await merchant.createCharge();
    await pay(world, charge);
    expect((await open(charge)).text).toContain(`/logo/${await current()}"`);
  });

  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['transparent', 'image/webp'],
  ] as const)('is served with its content type and cannot run scripts: %s', async (kind, type) => {
    await upload(pictures[kind]);
    const { status, headers, text } = await get(await current());
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'public, max-age=604800, immutable',
    });
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toMatch(/SECRET/);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a complete PNG, JPEG or WebP image'],
    ['a GIF', pictures.gif, 'must be a complete PNG, JPEG or WebP image'],
    ['too large', Buffer.concat([pictures.png, Buffer.alloc(17_000)]), 'is larger than 16 KB and must be made smaller'],
  ])('is rejected with the reason if it is %s', async (_, bytes, reason) => {
    const { status, text } = await upload(bytes);
    expect(status).toBe(400);
    expect(text).toContain(`Picture ${reason}`);
    expect({ current: await current(), rows: await rows() }).toEqual({ current: undefined, rows: [] });
  });

  test('can be replaced and removed', async () => {
    await upload(pictures.png);
    const first = await current();
    await upload(pictures.lossy);
    const second = await current();
    expect(second).not.toBe(first);
    expect((await get(first)).status).toBe(404);
    expect((await get(second)).status).toBe(200);
    await remove();
    expect({ current: await current(), rows: await rows() }).toEqual({ current: undefined, rows: [] });
    const about = (await merchant.audit(/^merchant set$/)).map(({ by, after }) => ({ by, after }));
    const by = manager.user.user_id;
    expect(about).toEqual(['changed', 'changed', 'removed'].map((logo) => ({ by, after: { logo } })));
  });

  test('is stored once if two people upload it at the same time', async () => {
    const owner = await merchant.signIn('owner');
    await Promise.all([upload(pictures.png), upload(pictures.lossy, owner)]);
    expect((await rows()).map(({ pk }) => pk)).toEqual([`LOGO#${await current()}`]);
  });

  test.each(['cashier', 'viewer', 'developer'] as const)('cannot be uploaded by a %s', async (role) => {
    const person = await merchant.signIn(role);
    expect((await upload(pictures.png, person)).status).toBe(403);
    expect((await remove(person)).status).toBe(403);
    expect(await current()).toBeUndefined();
  });

  test.each(['other', '€'])('is rejected if the form is incomplete (boundary: %s)', async (boundary) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'sec-fetch-site': 'same-origin' };
    const { status } = await manager.visit(`${PATH}/logo`, { form: {}, files: {}, headers });
    expect(status).toBe(400);
  });

  test('is accepted only by its own dashboard form', async () => {
    const { status } = await manager.visit('/dashboard/settings/contact', { form: {}, files: {} });
    expect(status).toBe(415);
  });

  test('returns 404 if the shop has none', async () => {
    expect((await get()).status).toBe(404);
  });
});

test('a charge shows the shop’s contact at the top', async () => {
  for (const [contact, href, shown] of [
    ['+233241234567', 'tel:+233241234567', '024\u00a0123\u00a04567'],
    ['https://wa.me/233241234567', 'https://wa.me/233241234567?text=', 'WhatsApp 024\u00a0123\u00a04567'],
    ['shop@example.com', 'mailto:shop@example.com?subject=', 'shop@example.com'],
  ] as const) {
    await merchant.change({ contact });
    world.clock.nowMs += 60_000;
    const header = /<h1[\s\S]*?<\/header>/.exec((await open()).text)?.[0];
    expect(header).toContain(`<a href="${href}`);
    expect(header).toContain(`<span>${shown}</span>`);
  }
});
