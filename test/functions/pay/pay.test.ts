import { inflateSync } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { referenceOfAccessCode } from '../../../shared/money/charge/charge.table.ts';
import { MAX_UNPAID_FROM_ADDRESS_PER_HOUR } from '../../../shared/money/link/link.table.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { expectWords } from '../../support/answers.ts';
import { mtn } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const merchant = await world.createMerchant();
const shop = await world.createShop();

const WIFI = { title: 'Hostel <Wi-Fi>', description: 'One device\nOne week', amount: 25 };

describe('a payment link’s page', () => {
  test('shows the seller, item and price in one form', async () => {
    const { status, text, headers } = await open(await make(WIFI));
    expect(status).toBe(200);
    expectWords(text, ['Hostel &lt;Wi-Fi&gt;', 'Pay GHS\u00a025.00']);
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text).not.toContain('name="amount"');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('asks for an amount and a note if required', async () => {
    const { text } = await open(
      await make({ title: 'Offering', min_amount: 1, max_amount: 500, note_label: 'Your name' }),
    );
    expect(text).toContain('From GHS\u00a01.00 to GHS\u00a0500.00.');
    expect(text).toMatch(/<label for="note">Your name<\/label>\s*<input id="note" name="note"[^>]* required/);
  });

  test('says that no money moves in test mode', async () => {
    expect((await open(await make(WIFI, merchant.testKey))).text).toContain('No money moves on this page');
  });

  test('makes no write when opened or reloaded', async () => {
    const slug = await make(WIFI);
    const before = await world.scan();
    for (let n = 0; n < 3; n++) await open(slug);
    expect(await world.scan()).toEqual(before);
  });

  test.each(['zzzzzzzz', 'k7m2q9x', 'K7M2Q9X4', '../charge', ''])(
    'returns 404 for the unknown link %j',
    async (slug) => {
      const { status, text } = await open(slug);
      expect({ status, saysUnknown: text.includes('This payment link does not exist') }).toEqual({
        status: 404,
        saysUnknown: true,
      });
    },
  );
});

describe('a payment link’s address', () => {
  test.each(['_', '*', '.', ',', ' ', '\u00a0', '~', '_*', '”.'])('ignores %j after its slug', async (behind) => {
    const slug = await make(WIFI);
    const parameters = { slug: slug + behind };
    const routes = ['pay/page', 'pay/poster', 'pay/qr-svg', 'pay/qr-png'] as const;
    const opened = await Promise.all(
      routes.map(async (route) => [route, (await world.call(route, { parameters })).status]),
    );
    const { status: pressed } = await world.pressPay(slug + behind);
    expect([...opened, ['pay/open', pressed]]).toEqual([...routes.map((route) => [route, 200]), ['pay/open', 303]]);
  });

  test('may be typed in capitals', async () => {
    const slug = await make(WIFI);
    const { status, text } = await open(slug.toUpperCase());
    expect({ status, submitsTo: text.match(/action="([^"]*)"/)?.[1] }).toEqual({
      status: 200,
      submitsTo: `/pay/${slug}`,
    });
  });
});

describe('a payment link’s Pay button', () => {
  test('opens a new charge each time', async () => {
    const slug = await make(WIFI);
    const [one, other] = [await world.openLink(slug), await world.openLink(slug)];
    expect(one.reference).not.toBe(other.reference);
    const { status, text } = await world.call('checkout/page', { parameters: { access_code: one.access_code } });
    expect({ status, showsAmount: text.includes('GHS 25.00') }).toEqual({
      status: 200,
      showsAmount: text.includes(one.reference),
    });
    expect(await world.chargeRow(one.reference)).toMatchObject({ origin: { kind: 'link', slug } });
  });

  test('uses the link’s amount regardless of the entered one', async () => {
    const { reference } = await world.openLink(await make(WIFI), {
      amount: '0.01',
      link: 'x',
      customer_name: 'Kofi Mensah',
    });
    const charge = await world.chargeRow(reference);
    expect({ amount_pesewas: charge?.amount_pesewas, customer_name: charge?.customer_name }).toEqual({
      amount_pesewas: 2_500,
      customer_name: undefined,
    });
  });

  test.each([
    ['20', 2_000],
    [' GHS 20.50 ', 2_050],
    ['1,000', 100_000],
    ['20,50', 2_050],
    ['GHC 20', 2_000],
    ['GH¢20', 2_000],
    ['20 cedis', 2_000],
    ['２０', 2_000],
    ['\u202a20\u202c', 2_000],
  ])('accepts the amount %j', async (amount, pesewas) => {
    const { reference } = await world.openLink(await make({ title: 'Open' }), { amount });
    expect((await world.chargeRow(reference)).amount_pesewas).toBe(pesewas);
  });

  test.each(['', '0', '4.99', '500.01', '-5', '1e2', 'much', '2,0,5', '٢٠'])(
    'rejects the amount %j and keeps the entered values',
    async (amount) => {
      const slug = await make({ title: 'Open', min_amount: 5, max_amount: 500, note_label: 'Name' });
      const before = await world.scan();
      const { status, text } = await world.pressPay(slug, { amount, note: 'Abena & Co' });
      expect({ status, asksAmount: text.includes('Type an amount from GHS 5.00 to GHS 500.00') }).toEqual({
        status: 400,
        asksAmount: true,
      });
      expect(text).toContain('value="Abena &amp; Co"');
      expect(await world.scan()).toEqual(before);
    },
  );

  test.each(['', '  ', 'x'.repeat(201)])('rejects the note %j', async (note) => {
    const { status } = await world.pressPay(await make({ ...WIFI, note_label: 'Name' }), { note });
    expect(status).toBe(400);
  });

  test('opens no charge for an ended link', async () => {
    const slug = await make(WIFI);
    await merchant.call('link/end', { parameters: { slug } });
    const before = await world.scan();
    const [page, pressed] = [await open(slug), await world.pressPay(slug)];
    expect({ page: page.status, pressed: pressed.status }).toEqual({ page: 410, pressed: 410 });
    for (const { text } of [page, pressed])
      expect(text).toMatch(/<p class="notice bad" [^>]*>.*This link is no longer active.*<\/p>\s*<h1>/);
    expect(await world.scan()).toEqual(before);
  });

  test('opens no charge for a suspended merchant', async () => {
    const other = await world.createMerchant();
    const slug = (await other.call('link/create', { body: WIFI })).json.data.slug;
    await other.suspend();
    world.clock.nowMs += 60_000;
    const [page, pressed] = [await open(slug), await world.pressPay(slug)];
    expect({ page: page.status, pressed: pressed.status }).toEqual({ page: 403, pressed: 403 });
    expect(pressed.text).toContain('Do not pay');
  });

  describe('if a form is submitted twice', () => {
    const OFFERING = { title: 'Offering', min_amount: 1, max_amount: 500 };
    let slug: string;
    let nonce: string;
    beforeEach(async () => {
      slug = await make(OFFERING, shop.liveKey);
      nonce = await nonceOf(slug);
    });
    const nonceOf = async (of: string) => /name="nonce" value="(\w{22})"/.exec((await open(of)).text)?.[1] ?? '';
    const press = async (amount = '20', from?: string) =>
      referenceOfPress(await world.pressPay(slug, { amount, nonce }, from));

    test('opens one charge', async () => {
      const opened = await Promise.all(Array.from({ length: 4 }, () => press()));
      expect({ opened: new Set(opened).size, fromHere: await press() }).toEqual({ opened: 1, fromHere: opened[0] });
      expect(opened[0]).toMatch(/^MK-/);
      const charges = (await world.rows('TRANSACTION')).filter(({ origin }) => JSON.stringify(origin).includes(slug));
      expect(charges).toHaveLength(1);
      const counts = (await world.scan()).filter(({ pk, counted }) => pk === `LINK_OPENED#${slug}` && counted);
      expect(counts).toMatchObject([{ counted: 1 }]);
    });

    test('opens a second charge for a different amount', async () => {
      const first = await press();
      expect(await press('21')).not.toBe(first);
      nonce = await nonceOf(slug);
      expect(await press()).not.toBe(first);
    });

    test('opens the charge that was already paid', async () => {
      const reference = await press();
      await shop.pay(mtn({ reference, amount: '20.00' }));
      world.clock.nowMs += 40 * 60_000;
      expect(await press()).toBe(reference);
    });

    test('opens one new charge after the first one expires', async () => {
      const first = await press();
      world.clock.nowMs += 31 * 60_000;
      const opened = await Promise.all([press(), press()]);
      expect(opened).not.toContain(first);
      expect({ opened: new Set(opened).size, fromHere: await press() }).toEqual({ opened: 1, fromHere: opened[0] });
    });

    test.each(['', 'short', '../..', 'k'.repeat(40)])(
      'opens a new charge each time for the invalid nonce %j',
      async (made) => {
        nonce = made;
        expect(await press()).not.toBe(await press());
      },
    );
  });

  describe('under the limit on unpaid charges per IP address', () => {
    const ADDRESS = '203.0.113.1';
    let slug: string;
    beforeEach(async () => {
      slug = await make(WIFI, shop.liveKey);
    });
    const press = async (from = ADDRESS) => (await world.pressPay(slug, {}, from)).status;
    const countOf = async () => (await world.scan()).filter(({ pk }) => pk === `LINK_OPENED#${slug}`);
    /** Sets the number of charges opened from the address in the last hour. */
    const opened = async (counted: number) => {
      if (counted > 0 && (await countOf()).length === 0) await press();
      const [{ pk, sk } = { pk: '', sk: '' }] = await countOf();
      await world.outside.table.update(changeItem({ pk: String(pk), sk: String(sk) }, { counted }));
    };

    test('allows 61 customers at one address within an hour', async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 61; n++) statuses.push(await press());
      expect(new Set(statuses)).toEqual(new Set([303]));
    });

    test('returns 429 after a thousand unpaid charges in an hour', async () => {
      await opened(MAX_UNPAID_FROM_ADDRESS_PER_HOUR - 1);
      expect([await press(), await press()]).toEqual([303, 429]);
      const refused = await world.pressPay(slug, {}, ADDRESS);
      expect(refused.text).toContain('Try again later, or use mobile data.');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      world.clock.nowMs += 60 * 60 * 1000;
      expect(await press()).toBe(303);
    });

    test('still works for other addresses', async () => {
      await opened(MAX_UNPAID_FROM_ADDRESS_PER_HOUR);
      expect({ fromHere: await press(), fromElsewhere: await press('203.0.113.2') }).toEqual({
        fromHere: 429,
        fromElsewhere: 303,
      });
    });

    test('allows one more charge for each charge paid in the same hour', async () => {
      for (let n = 0; n < 2; n++) {
        const reference = referenceOfPress(await world.pressPay(slug, {}, ADDRESS));
        await shop.pay(mtn({ reference, amount: '25.00', id: `5000000000${n}` }));
      }
      await world.tell(2);
      await opened(MAX_UNPAID_FROM_ADDRESS_PER_HOUR);
      expect([await press(), await press(), await press()]).toEqual([303, 303, 429]);
      world.clock.nowMs += 60 * 60 * 1000;
      await press();
      await world.outside.table.update(
        changeItem({ pk: `LINK_OPENED#${slug}`, sk: await newest() }, { counted: MAX_UNPAID_FROM_ADDRESS_PER_HOUR }),
      );
      expect(await press()).toBe(429);
    });

    test('is limited by IPv6 prefix without storing addresses', async () => {
      await press('2001:db8:1:2::1');
      await press('2001:db8:1:3::9');
      expect(await countOf()).toMatchObject([{ counted: 2 }]);
      expect(JSON.stringify(await countOf())).not.toContain('2001:');
    });

    const newest = async () =>
      String(
        (await countOf())
          .map(({ sk }) => sk)
          .toSorted()
          .at(-1),
      );
  });
});

describe('a payment link’s QR code', () => {
  test('encodes the link’s URL as SVG and PNG', async () => {
    const slug = await make(WIFI);
    const request = { parameters: { slug } };
    const drawing = await world.call('pay/qr-svg', request);
    expect(drawing.headers['content-type']).toBe('image/svg+xml');
    expect(drawing.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const picture = await world.call('pay/qr-png', request);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(decodeQr(pixelsOf(Buffer.from(picture.text, 'base64')))).toBe(`${world.outside.baseUrl}/pay/${slug}`);
  });

  test('is on the poster with the URL', async () => {
    const slug = await make(WIFI);
    const { status, text } = await world.call('pay/poster', { parameters: { slug } });
    expect({ status, hasQrCode: text.includes('aria-label="QR code') }).toEqual({ status: 200, hasQrCode: true });
    expect(text).toContain(`/pay/${slug}</p>`);
  });
});

/** Returns the pixels of a one-bit PNG. */
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

function referenceOfPress({ headers }: Awaited<ReturnType<typeof world.pressPay>>): string {
  return referenceOfAccessCode(headers.location?.split('/').at(-1) ?? '') ?? '';
}

async function make(body: object, key = merchant.liveKey): Promise<string> {
  return (await world.call('link/create', { key, body })).json.data.slug;
}

function open(slug: string) {
  return world.call('pay/page', { path: `/pay/${slug}`, parameters: { slug } });
}
