import { inflateSync } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import {
  FEW_OPENED_PER_HOUR,
  linkRows,
  MAX_OPENED_FROM_ADDRESS_PER_HOUR,
  MAX_OPENED_PER_HOUR,
  MORE_AT_STICKER,
} from '../../../shared/money/link/link.table.ts';
import { TIMES_FOR_FEW } from '../../../shared/runtime/table/limits.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { expectWords } from '../../support/answers.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant();

const WIFI = { title: 'Hostel <Wi-Fi>', description: 'One device\nOne week', amount: 25 };

describe('the page', () => {
  test('says who sells what for how much, with one form', async () => {
    const { status, text, headers } = await open(await make(WIFI));
    expect(status).toBe(200);
    expectWords(text, ['Hostel &lt;Wi-Fi&gt;', 'Pay GHS 25.00']);
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text).not.toContain('name="amount"');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('asks how much, and for the note, where the link does', async () => {
    const { text } = await open(
      await make({ title: 'Offering', min_amount: 1, max_amount: 500, note_label: 'Your name' }),
    );
    expect(text).toContain('From GHS 1.00 to GHS 500.00.');
    expect(text).toMatch(/<label for="note">Your name<\/label>\s*<input id="note" name="note"[^>]* required/);
  });

  test('of a test says so', async () => {
    expect((await open(await make(WIFI, merchant.testKey))).text).toContain('No money moves on this page');
  });

  test('opened and reloaded writes nothing', async () => {
    const slug = await make(WIFI);
    const before = await world.scan();
    for (let n = 0; n < 3; n++) await open(slug);
    expect(await world.scan()).toEqual(before);
  });

  test.each(['zzzzzzzz', 'k7m2q9x', 'K7M2Q9X4', '../charge', ''])('of no link is 404: %j', async (slug) => {
    const { status, text } = await open(slug);
    expect([status, text.includes('This payment link does not exist')]).toEqual([404, true]);
  });
});

describe('Pay', () => {
  test('leads to the checkout page of a new charge, each time of another one', async () => {
    const slug = await make(WIFI);
    const [one, other] = [await world.openLink(slug), await world.openLink(slug)];
    expect(one.reference).not.toBe(other.reference);
    const { status, text } = await world.call('checkout/page', { parameters: { access_code: one.access_code } });
    expect([status, text.includes('GHS 25.00')]).toEqual([200, text.includes(one.reference)]);
    expect(await world.transaction(one.reference)).toMatchObject({ origin: { kind: 'link', slug } });
  });

  test('takes the amount that the link has, whatever is typed', async () => {
    const { reference } = await world.openLink(await make(WIFI), {
      amount: '0.01',
      link: 'x',
      customer_name: 'Kofi Mensah',
    });
    const charge = await world.transaction(reference);
    expect([charge?.amount_pesewas, charge?.customer_name]).toEqual([2_500, undefined]);
  });

  test.each([
    ['20', 2_000],
    [' GHS 20.50 ', 2_050],
    ['1,000', 100_000],
  ])('takes %j', async (amount, pesewas) => {
    const { reference } = await world.openLink(await make({ title: 'Open' }), { amount });
    expect((await world.transaction(reference)).amount_pesewas).toBe(pesewas);
  });

  test.each(['', '0', '4.99', '500.01', '-5', '1e2', 'much', '2,0,5', '٢٠'])(
    'refuses the amount %j, and shows the form again as it was typed',
    async (amount) => {
      const slug = await make({ title: 'Open', min_amount: 5, max_amount: 500, note_label: 'Name' });
      const before = await world.scan();
      const { status, text } = await world.pressPay(slug, { amount, note: 'Abena & Co' });
      expect([status, text.includes('Type an amount from GHS 5.00 to GHS 500.00')]).toEqual([400, true]);
      expect(text).toContain('value="Abena &amp; Co"');
      expect(await world.scan()).toEqual(before);
    },
  );

  test.each(['', '  ', 'x'.repeat(201)])('refuses the note %j', async (note) => {
    const { status } = await world.pressPay(await make({ ...WIFI, note_label: 'Name' }), { note });
    expect(status).toBe(400);
  });

  test('opens nothing once the link has ended, and the page says so', async () => {
    const slug = await make(WIFI);
    await merchant.call('link/end', { parameters: { slug } });
    const before = await world.scan();
    const [page, pressed] = [await open(slug), await world.pressPay(slug)];
    expect([page.status, pressed.status]).toEqual([410, 410]);
    for (const { text } of [page, pressed]) expect(text).toContain('This link has ended');
    expect(await world.scan()).toEqual(before);
  });

  test('opens nothing for a merchant who is suspended', async () => {
    const other = await world.createMerchant();
    const slug = (await other.call('link/create', { body: WIFI })).json.data.slug;
    await other.suspend();
    world.clock.nowMs += 60_000;
    const [page, pressed] = [await open(slug), await world.pressPay(slug)];
    expect([page.status, pressed.status]).toEqual([403, 403]);
    expect(pressed.text).toContain('Do not pay');
  });

  test('at a till’s sticker, where all may be on the shop’s Wi-Fi, is bounded at four times as many', async () => {
    const slug = await make(WIFI);
    await world.outside.table.update(changeItem(linkRows.key({ slug }), { till: 'TILL-1' }));
    const hour = world.iso().slice(0, 13);
    await world.pressPay(slug, {}, '203.0.113.1');
    const [{ sk } = { sk: '' }] = (await world.scan()).filter(
      ({ pk, sk }) => pk === `LINK_OPENED#${slug}` && String(sk).startsWith(`${hour}#`),
    );
    const opened = async (count: number) => {
      await world.outside.table.update(changeItem({ pk: `LINK_OPENED#${slug}`, sk: String(sk) }, { counted: count }));
      return (await world.pressPay(slug, {}, '203.0.113.1')).status;
    };
    const most = MORE_AT_STICKER * MAX_OPENED_FROM_ADDRESS_PER_HOUR;
    expect([await opened(most - 1), await opened(most)]).toEqual([303, 429]);
  });

  const opening = (slug: string) => async (count: number, from: string) => {
    const found: number[] = [];
    for (let n = 0; n < count; n++) found.push((await world.pressPay(slug, {}, from)).status);
    return found;
  };

  test('goes on for everybody else while six addresses flood the link, a few for each, and ends for all at ten times as many', async () => {
    const slug = await make(WIFI);
    const statuses = opening(slug);
    const floods = Math.ceil(MAX_OPENED_PER_HOUR / MAX_OPENED_FROM_ADDRESS_PER_HOUR);
    for (let n = 1; n <= floods; n++) await statuses(MAX_OPENED_FROM_ADDRESS_PER_HOUR, `203.0.113.${n}`);
    const customer = await statuses(FEW_OPENED_PER_HOUR + 1, '198.51.100.1');
    expect([new Set(customer.slice(0, -1)), customer.at(-1)]).toEqual([new Set([303]), 429]);
    expect(await statuses(1, '198.51.100.2')).toEqual([303]);
    expect(await statuses(1, '203.0.113.1')).toEqual([429]);
    const hour = { pk: `LINK_OPENED#${slug}`, sk: world.iso().slice(0, 13) };
    await world.outside.table.update(changeItem(hour, { counted: TIMES_FOR_FEW * MAX_OPENED_PER_HOUR - 1 }));
    expect(await statuses(1, '198.51.100.3')).toEqual([303]);
    expect(await statuses(1, '198.51.100.4')).toEqual([429]);
  });

  test('is bounded for an address in an hour', async () => {
    const slug = await make(WIFI);
    const statuses = opening(slug);
    const one = await statuses(MAX_OPENED_FROM_ADDRESS_PER_HOUR + 1, '203.0.113.1');
    expect([one.at(-2), one.at(-1)]).toEqual([303, 429]);
    // The next /64 of the same IPv6 network is the same somebody.
    const v6 = await statuses(MAX_OPENED_FROM_ADDRESS_PER_HOUR, '2001:db8:1:2::1');
    expect(new Set(v6)).toEqual(new Set([303]));
    expect(await statuses(1, '2001:db8:1:3::9')).toEqual([429]);
    const refused = await world.pressPay(slug, {}, '203.0.113.1');
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect(refused.text).toContain('Try again later');
    world.clock.nowMs += 60 * 60 * 1000;
    expect(await statuses(1, '203.0.113.1')).toEqual([303]);
    const rows = JSON.stringify((await world.scan()).filter(({ pk }) => String(pk).startsWith('LINK_OPENED')));
    expect(rows).not.toContain('203.0.113');
  });
});

describe('the QR code', () => {
  test('as a drawing and as a picture says the address', async () => {
    const slug = await make(WIFI);
    const request = { parameters: { slug } };
    const drawing = await world.call('pay/qr-svg', request);
    expect(drawing.headers['content-type']).toBe('image/svg+xml');
    expect(drawing.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const picture = await world.call('pay/qr-png', request);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(decodeQr(pixelsOf(Buffer.from(picture.text, 'base64')))).toBe(`${world.outside.baseUrl}/pay/${slug}`);
  });

  test('is on the poster, with the address to type', async () => {
    const slug = await make(WIFI);
    const { status, text } = await world.call('pay/poster', { parameters: { slug } });
    expect([status, text.includes('<svg class="qr-code"')]).toEqual([200, true]);
    expect(text).toContain(`/pay/${slug}</p>`);
  });
});

/** What a camera would see of a PNG of one bit. */
function pixelsOf(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const start = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)));
  const stride = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isWhite = ((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      data.set([isWhite * 255, isWhite * 255, isWhite * 255, 255], (y * width + x) * 4);
    }
  return { width, height, data };
}

async function make(body: object, key = merchant.liveKey): Promise<string> {
  return (await world.call('link/create', { key, body })).json.data.slug;
}

function open(slug: string) {
  return world.call('pay/page', { path: `/pay/${slug}`, parameters: { slug } });
}
