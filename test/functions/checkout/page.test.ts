import decodeQr from 'qr/decode.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { Network } from '../../../shared/ghana/network.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { foldsIn, valuesOf, wordsOf } from '../../support/page-words.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import type { Call } from '../../support/world.ts';
import { pay, paymentNow, reverse, setCharge } from './charges.ts';

const world = await scene();
const merchant = await world.createMerchant();
/** A merchant with numbers on two networks. */
const everywhere = await world.createMerchant();
const accounts = [
  { number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' },
  { number: '+233241234568', network: 'MTN' as const, account_name: 'AMA STORES 2' },
  { number: '+233201234567', network: 'TELECEL' as const, account_name: 'AMA STORES LTD' },
];
await everywhere.change({ momo_accounts: accounts });
const HTML = 'text/html; charset=utf-8';

describe('a pending charge’s page', () => {
  test('shows the number, network, amount, merchant and description', async () => {
    const { status, headers, text } = await open(await charge({ amount: 1_234.5, description: 'Two yards of kente' }));
    expect({ status, contentType: headers['content-type'] }).toEqual({ status: 200, contentType: HTML });
    expectWords(text, [
      '024 123 4567',
      'MTN MoMo',
      'AMA STORES',
      '<b>GHS 1,234.50</b>',
      '<h1 translate="no">Ama Stores</h1>',
      'Two yards of kente',
      'Waiting for payment…',
    ]);
  });

  test('has copy buttons for the dial code, number and reference', async () => {
    const waiting = await charge();
    const { text } = await open(waiting);
    expect(text).toContain('href="tel:*170%23"');
    expect(copied(text)).toEqual(['*170#', '0241234567', waiting.reference]);
  });

  test('does not offer a claim code if the network hides payers’ numbers', async () => {
    const unread = await world.createMerchant();
    const at = { number: '+233271234567', network: 'AT' as const, account_name: 'AMA STORES' };
    await unread.change({ momo_accounts: [at] });
    const { text } = await open(await unread.createCharge(), { query: { claim: '' } });
    expectWords(text, [], ['a code', 'Type the number the payment came from']);

    // This merchant has a second network, which reports the payer’s number.
    const both = await world.createMerchant();
    await both.change({ momo_accounts: [at, ...accounts] });
    const { text: others } = await open(await both.createCharge(), { query: { claim: '' } });
    expect(others).toContain('This does not work if you paid from MTN to MTN.');
    const telecel = { access_code: (await everywhere.createCharge()).access_code };
    const { text: all } = await open(telecel, { query: { claim: '', network: 'TELECEL' } });
    expect(all).toContain('If Telecel reported the payment to Ama Stores, we will text that number a code.');
  });

  test('links to the shop’s front page instead of the callback', async () => {
    const waiting = await charge({ callback_url: 'https://shop.example.com:8443/thanks?order=7#top' });
    const { text } = await open(waiting);
    expectWords(
      text,
      ['<a href="https://shop.example.com:8443/">Back to shop.example.com:8443</a>'],
      ['thanks', 'reference='],
    );
    expect((await open(await charge())).text).not.toContain('Back to');
  });

  test('tells anyone who pays for someone else to use the reference', async () => {
    const waiting = await charge();
    const { text } = await open(waiting);
    const check = `data-check href="/checkout/${waiting.access_code}"`;
    expectWords(text, ['Anyone paying for you needs them too.', check]);
  });

  test('shows the deadline without JavaScript', async () => {
    world.clock.nowMs = Date.parse('2026-02-03T14:05:00Z');
    const { text } = await open(await charge());
    expect(text).toContain('Pay by <time datetime="2026-02-04T14:05:00.000Z">4 Feb 2026, 14:05 GMT</time>');
    world.clock.nowMs = Date.now();
  });

  test('excludes names and numbers from browser translation', async () => {
    const waiting = await charge();
    const { text } = await open(waiting);
    const kept = [...text.matchAll(/<(\w+)[^>]* translate="no"[^>]*>(.*?)<\/\1>/g)].map(([, , words = '']) =>
      words
        .replace(/<[^>]+>/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    );
    const digits = waiting.reference.replace(/^MK-(\d{4})(\d{3})(\d{3})$/, 'MK- $1 $2 $3');
    expect(kept).toEqual(['Ama Stores', 'MTN MoMo 024 123 4567 AMA STORES', digits, 'AMA STORES', waiting.reference]);
  });

  test('reloads without JavaScript unless the customer is typing', async () => {
    const waiting = await charge();
    expect(refreshOf((await open(waiting)).text)).toBe('20');
    const typing = (await open(waiting, { query: { claim: '' } })).text;
    expect(refreshOf(typing)).toBeUndefined();
    expect(foldsIn(typing)).toContainEqual({ summary: 'I have paid but nothing happened', isOpen: true });
  });

  test('costs one table read', async () => {
    const waiting = await charge();
    world.requests.length = 0;
    await open(waiting);
    expect(world.requests).toEqual(['GetItem']);
  });
});

test.each([
  ['TELECEL', 'Telecel Cash', 'telecel', 'tel:*110%23'],
  ['AT', 'AT Money', 'at', 'tel:*110%23'],
])('the page shows the name, colours and dial code of %s', async (network, name, colours, code) => {
  const waiting = await charge();
  await setCharge(world, waiting, { momo_network: network });
  const { text } = await open(waiting);
  expectWords(text, [name, `class="pay-to ${colours}"`, `href="${code}"`]);
});

describe('the choice of network', () => {
  let waiting: CreatedCharge;
  beforeEach(async () => {
    waiting = await everywhere.createCharge();
  });

  test('is hidden if the merchant has one number', async () => {
    const waiting = await charge();
    const asked = await open(waiting, { query: { network: 'TELECEL' } });
    for (const { text } of [await open(waiting), asked]) {
      expect(choicesOf(text)).toEqual([]);
      expectWords(text, ['Pay with MTN MoMo', 'From Telecel or AT: dial *110#']);
      expect(copied(text)).toEqual(['*170#', '0241234567', waiting.reference]);
    }
  });

  test('defaults to the charge’s network', async () => {
    const { text } = await open(waiting);
    const path = `/checkout/${waiting.access_code}`;
    expect(choicesOf(text)).toEqual(Network.options.map((network) => `${path}?network=${network}`));
    expect(text).toContain('aria-current="true">MTN MoMo</a>');
    expect(copied(text)).toEqual(['*170#', '0241234567', waiting.reference]);
    expect(text).not.toContain('From Telecel or AT');
  });

  test('shows the instructions for the chosen network', async () => {
    const { text } = await open(waiting, { query: { network: 'TELECEL' } });
    expectWords(text, [
      'Pay with Telecel Cash',
      'aria-current="true">Telecel Cash</a>',
      'class="pay-to telecel"',
      'href="tel:*110%23"',
      '<b translate="no">AMA STORES LTD</b>',
    ]);
    expect(copied(text)).toEqual(['*110#', '0201234567', waiting.reference]);
  });

  test('falls back to the charge’s network if the merchant has no number on the chosen network', async () => {
    const { text } = await open(waiting, { query: { network: 'AT' } });
    expectWords(text, [
      'aria-current="true">AT Money</a>',
      'Ama Stores has no AT number.',
      'Send to the MTN number below, with the reference.',
      'class="pay-to mtn"',
      'href="tel:*110%23"',
    ]);
    expect(copied(text)).toEqual(['*110#', '0241234567', waiting.reference]);
  });

  test('is kept in all links to the page', async () => {
    const { text } = await open(waiting, { query: { network: 'TELECEL' } });
    const path = `/checkout/${waiting.access_code}`;
    expectWords(text, [
      `action="${path}/claim?network=TELECEL"`,
      `data-check href="${path}?network=TELECEL"`,
      `href="${path}?claim&amp;network=TELECEL#claim"`,
    ]);
  });

  test.each(['', 'telecel', 'VODAFONE', 'MTN,AT', '"><script>', '__proto__', 'constructor'])(
    'ignores the unknown network %j',
    async (network) => {
      const page = await open(waiting, { query: { network } });
      expectAnswer(page, 200, 'aria-current="true">MTN MoMo</a>');
      expect(copied(page.text)).toEqual(['*170#', '0241234567', waiting.reference]);
    },
  );
});

describe('the shop’s contact', () => {
  describe.each<[string, number, (shown: CreatedCharge) => Promise<unknown>]>([
    ['an expired charge', 24 * HOUR_MS, async () => undefined],
    ['a reversed charge', 0, (shown) => reverse(world, shown)],
    [
      'an overpaid charge',
      0,
      (shown) => pay(world, shown, { amount_pesewas: arrivedPesewas(4000), proof: { state: 'proven' } }),
    ],
  ])('on the page of %s', (_, laterMs, happens) => {
    const textOf = async (shown: CreatedCharge) => {
      await happens(shown);
      return (await later(laterMs, () => open(shown))).text;
    };

    test.each([
      ['+233241234567', 'Call 024 123 4567', 'tel:+233241234567'],
      ['a+b&c@shop.example.com', 'Write', 'mailto:a%2Bb%26c@shop.example.com?subject=My%20payment%20REFERENCE'],
      [
        'https://wa.me/233241234567',
        'Ask on WhatsApp',
        'https://wa.me/233241234567?text=Hello%2C%20I%20have%20a%20question%20about%20my%20payment%20with%20the%20reference%20REFERENCE.',
      ],
    ])('links to the contact %s', async (contact, label, link) => {
      const asked = await world.createMerchant();
      await asked.change({ contact });
      const shown = await asked.createCharge();
      const address = link.replace('REFERENCE', shown.reference);
      expectWords(await textOf(shown), [`href="${address}"`, label]);
      // A charge keeps the contact from its creation.
      await asked.change({ contact: '' });
      expect((await open(shown)).text).toContain(address);
    });

    test('shows the shop’s name without a link if there is no contact', async () => {
      const text = await textOf(await charge());
      expect(text).toMatch(/Ask Ama Stores/);
      expect(text).not.toMatch(/tel:|mailto:|wa\.me/);
    });
  });
});

describe('the QR code', () => {
  test('encodes the page’s short URL', async () => {
    const waiting = await charge();
    const { text } = await open(waiting);
    expect(text).toContain('role="img" aria-label="QR code with the address of this page"');
    // The QR code standard requires a quiet zone of four modules.
    expect(text).toMatch(/<path d="M0 4\.5m4 0h7/);
    expect(readQr(text)).toBe(`https://pay.example.com/c/${waiting.access_code}`);
  });

  test('is hidden once the charge is paid', async () => {
    const paid = await charge();
    await pay(world, paid);
    expect((await open(paid)).text).not.toContain('QR code with the address of this page');
  });
});

describe('the charge’s description', () => {
  test('is shown in full if short', async () => {
    const { text } = await open(await charge({ description: 'Two yards\nof kente\n7' }));
    expect(wordsOf(text)).toContain('Two yards\nof kente\n7');
  });

  test.each([
    ['many words', 'kente '.repeat(50)],
    ['many lines', 'a\nb\nc\nd'],
  ])('is collapsed if it has %s', async (_, description) => {
    const { text } = await open(await charge({ description }));
    const summary = `${description.trim().replaceAll(/\s+/g, ' ')} Show all Show less`;
    expect(foldsIn(text)).toContainEqual({ summary, isOpen: false });
  });
});

describe('a paid charge’s page', () => {
  test('shows the transaction id and can be shared', async () => {
    const paid = await charge({ callback_url: 'https://shop.example.com/thanks' });
    await pay(world, paid, { network: 'TELECEL', transaction_id: '0000019305566778' });
    const { text } = await open(paid);
    expect(valuesOf(text, 'Telecel transaction ID')).toEqual(['0000019305566778']);
    const [, address, shared] = /href="([^"]*\/receipt)" data-share="([^"]*)"/.exec(text) ?? [];
    expect(address).toBe(`/checkout/${paid.access_code}/receipt`);
    expect(shared).toMatch(/^GHS 36\.00 paid to Ama Stores on \d+ \w+ \d{4}, \d\d:\d\d GMT\. /);
    expect(shared).toContain(`Reference ${paid.reference}. Telecel transaction ID 0000019305566778.`);
  });

  test('lists each payment', async () => {
    const paid = await charge();
    const part = paymentNow(world, { transaction_id: '83412345001', amount_pesewas: 3500 });
    await setCharge(world, paid, { parts: [part] });
    await pay(world, paid, { transaction_id: '83412345002', amount_pesewas: 100 });
    const { text } = await open(paid);
    expect(valuesOf(text, 'MTN transaction ID')).toEqual(['83412345001', '83412345002']);
    expect(text).toContain('MTN transaction ID 83412345001. MTN transaction ID 83412345002."');
  });

  test('redirects shared links to the customer receipt', async () => {
    const paid = await charge({ callback_url: 'https://shop.example.com/thanks?order=7' });
    await pay(world, paid);
    const { status, headers } = await open(paid, { query: { receipt: '' } });
    expect({ status, location: headers.location }).toEqual({
      status: 302,
      location: `/checkout/${paid.access_code}/receipt`,
    });
  });

  test('links to the callback with its query and the reference', async () => {
    const paid = await charge({ amount: 36, callback_url: 'https://shop.example.com/thanks?order=7&x=%20#top' });
    await pay(world, paid);
    const page = await open(paid);
    const { text } = page;
    const callback = `https://shop.example.com/thanks?order=7&amp;x=%20&amp;reference=${paid.reference}#top`;
    expectAnswer(page, 200, 'Payment received', '<dd>GHS 36.00</dd>', `href="${callback}"`);
    expect(refreshOf(text)).toBe(`3;url=${callback}`);
    expect(copied(text)).toEqual([]);
  });

  test('does not redirect without a callback', async () => {
    const paid = await charge();
    await pay(world, paid);
    const { text } = await open(paid);
    expectWords(text, ['You can close this page.'], ['id="back"']);
    expect(refreshOf(text)).toBeUndefined();
  });

  test('still shows the payment after the charge’s deadline', async () => {
    const paid = await charge();
    await pay(world, paid);
    expect((await later(24 * HOUR_MS, () => open(paid))).status).toBe(200);
  });
});

test('a reversed charge does not redirect', async () => {
  const reversed = await charge({ callback_url: 'https://shop.example.com/thanks' });
  await reverse(world, reversed);
  const { status, text } = await open(reversed);
  expect(status).toBe(200);
  expectWords(text, ['The network reversed this payment'], ['shop.example.com/thanks']);
  expect(refreshOf(text)).toBeUndefined();
  expect(copied(text)).toEqual([]);
});

test('an expired charge returns 410 and hides the shop’s number', async () => {
  const waiting = await charge({ callback_url: 'https://shop.example.com/thanks' });
  expect((await later(24 * HOUR_MS - 1, () => open(waiting))).status).toBe(200);
  const { status, headers, text } = await later(24 * HOUR_MS, () => open(waiting));
  expect({ status, contentType: headers['content-type'] }).toEqual({ status: 410, contentType: HTML });
  expectWords(text, ['This link has expired'], ['024 123 4567', '0241234567', 'shop.example.com/thanks']);
  expect(refreshOf(text)).toBeUndefined();
});

describe('the 404 page', () => {
  test('is shown if a single character of the access code is wrong', async () => {
    const { access_code: code } = await charge();
    for (let at = 0; at < code.length; at++) {
      const wrong = code.slice(0, at) + (code[at] === 'A' ? 'B' : 'A') + code.slice(at + 1);
      const { status, headers, text } = await open({ access_code: wrong });
      expect({ status, contentType: headers['content-type'] }).toEqual({ status: 404, contentType: HTML });
      expectWords(text, ['This payment link does not exist'], ['Ama Stores']);
    }
  });

  test.each(['', 'x', 'z'.repeat(22), 'A'.repeat(21), '../../etc/passwd', '%', '<script>'])(
    'is shown for the access code %j',
    async (access_code) => {
      const { status, text } = await open({ access_code });
      expect(status).toBe(404);
      expectWords(text, [], ['<script>', 'etc/passwd']);
    },
  );
});

test('an unexpected error is logged and shows its request id', async () => {
  const waiting = await charge();
  world.dynamoDb = async () => {
    throw new Error('Out of order');
  };
  const { status, headers, text } = await open(waiting);
  world.dynamoDb = (_request, send) => send();
  expect({ status, contentType: headers['content-type'] }).toEqual({ status: 500, contentType: HTML });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).not.toContain('Out of order');
  const { event, fields } = world.logged.at(-1) ?? {};
  expect(event).toBe('unexpected_error');
  expect(text).toContain(`Request ${fields?.request_id}`);
});

describe('untrusted text on the checkout page', () => {
  test('is escaped', async () => {
    const waiting = await charge({ description: '<script>alert("1")</script>&amp;' });
    await setCharge(world, waiting, { merchant_name: `"><img src=x onerror='1'>`, momo_account_name: '</main>' });
    const { text } = await open(waiting);
    expectWords(text, ['&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;'], ['<script>alert', '<img']);
    expect(text.match(/<\/main>/g)).toHaveLength(1);
  });

  test('cannot break out of the attribute for the callback', async () => {
    const paid = await charge({ callback_url: `https://shop.example.com/?a="><script>1</script>'` });
    await pay(world, paid);
    const { text } = await open(paid);
    expect(text).not.toContain('<script>1');
    // Links to the callback, to the customer receipt and for sharing.
    expect(text.match(/<a [^>]*>/g)).toHaveLength(3);
  });

  test('is hidden if only the merchant may see it', async () => {
    const { text } = await open(await charge({ metadata: { margin: 'secret-7' }, email: 'kofi@example.com' }));
    expectWords(text, [], ['secret-7', 'kofi@example.com']);
  });
});

describe.each(['pending', 'typing', 'success', 'reversed', 'expired', 'unknown'])(
  'a checkout page in the state %s',
  async (state) => {
    const callback_url = `https://shop.example.com/${'a'.repeat(2000)}`;
    const description = 'é'.repeat(500);
    const shown = await charge({ amount: 100_000, description, callback_url });
    if (state === 'success') await pay(world, shown);
    if (state === 'reversed') await reverse(world, shown);
    const access_code = state === 'unknown' ? 'unknown' : shown.access_code;
    const page = () =>
      later(state === 'expired' ? 24 * HOUR_MS : 0, () =>
        open({ access_code }, state === 'typing' ? { query: { claim: '' } } : {}),
      );

    test('stays under 30 KB with the longest text', async () => {
      expect(Buffer.byteLength((await page()).text)).toBeLessThan(30_000);
    });

    test('loads no external resources', async () => {
      // Browsers do not load links with the page.
      const text = (await page()).text
        .replaceAll(callback_url, '')
        .replaceAll('<a href="https://shop.example.com/">', '');
      expect(text).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/\ssrc=|@import|url\(|\sstyle=|\son\w+=/);
      expect(text.match(/<link [^>]*>/g)).toEqual([expect.stringMatching(/^<link rel="icon" href="data:image\/svg/)]);
    });

    test('allows only its own style and script', async () => {
      const [first, second] = [await page(), await page()];
      const nonces = [first, second].map(({ headers, text }) => {
        const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
        expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
        const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
        expect(headers['content-security-policy']).toBe(policy);
        const tags = text.match(/<(style|script)[ >][^>]*/g) ?? [];
        expect(tags.length).toBeGreaterThan(0);
        expect(new Set(tags.map((tag) => /nonce="([^"]+)"/.exec(tag)?.[1]))).toEqual(new Set([nonce]));
        return nonce;
      });
      expect(nonces[0]).not.toBe(nonces[1]);
    });

    test('sends strict security headers', async () => {
      const { headers } = await page();
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'x-robots-tag': 'noindex, nofollow',
      });
      const features = headers['permissions-policy']?.split(', ') ?? [];
      expect(features).toContain('clipboard-write=(self)');
      expect(features).toContain('camera=()');
      expect(features.filter((feature) => !feature.endsWith('=()'))).toEqual(['clipboard-write=(self)']);
    });
  },
);

function charge(body?: object) {
  return merchant.createCharge(body);
}

function open({ access_code }: Pick<CreatedCharge, 'access_code'>, request: Call = {}) {
  return world.call('checkout/page', { path: `/checkout/${access_code}`, parameters: { access_code }, ...request });
}

/** Runs `act` after `ms`, then sets the clock back. */
async function later<Result>(ms: number, act: () => Promise<Result>): Promise<Result> {
  world.clock.nowMs += ms;
  try {
    return await act();
  } finally {
    world.clock.nowMs -= ms;
  }
}

/** Returns the URLs of the network choices. */
function choicesOf(text: string): (string | undefined)[] {
  return [...text.matchAll(/<a class="plain button" href="([^"]*)" data-network/g)].map(([, address]) => address);
}

/** Decodes the page's QR code from its SVG path. */
function readQr(text: string): string {
  const [, side, path = ''] =
    /<svg [^>]*aria-label="QR code[^>]* viewBox="0 0 (\d+) \d+"><path d="([^"]*)"/.exec(text) ?? [];
  const [size, scale] = [Number(side), 4];
  const data = new Uint8Array((size * scale) ** 2 * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([Mmh])([\d.]+)(?: ([\d.]+))?/g)) {
    const step = Number(first);
    if (command === 'M') [x, y] = [step, Math.floor(Number(second))];
    if (command === 'h') {
      for (let row = y * scale; row < (y + 1) * scale; row++) {
        const start = (row * size * scale + x * scale) * 4;
        for (let at = start; at < start + step * scale * 4; at++) if (at % 4 !== 3) data[at] = 0;
      }
    }
    if (command !== 'M') x += step;
  }
  return decodeQr({ width: size * scale, height: size * scale, data });
}

/** Returns the values of the copy buttons. */
function copied(text: string): (string | undefined)[] {
  return [...text.matchAll(/data-copy="([^"]*)"/g)].map(([, copy]) => copy);
}

/** Returns the meta refresh of the page without JavaScript. */
function refreshOf(text: string): string | undefined {
  return /<\/script><meta http-equiv="refresh" content="([^"]*)">/.exec(text)?.[1];
}
