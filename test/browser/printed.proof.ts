import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { handler as makeLink } from '../../functions/link/create.ts';
import { merchantRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { getCharge } from '../../shared/money/charge/charge.table.ts';
import { addTill, beginShift } from '../../shared/money/till/shift.ts';
import { makeSticker } from '../../shared/money/till/sticker.ts';
import { takePayment } from '../../shared/money/till/take.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import { appearances } from '../support/appearances.ts';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { signIn } from '../support/dashboard.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { outsideAt } from '../support/page-faults.ts';
import { charge, createShop, mtn, pay, paymentId, request } from '../support/receipts.ts';
import { call, createWorld } from '../support/world.ts';

// Tests printing on A4 sheets and on receipt rolls. PRINTED=FOLDER keeps the PDFs.

const PX_PER_MM = 96 / 25.4;
const papers = [
  { name: 'A4', widthMm: 210, heightMm: 297, marginMm: 10 },
  // The print head is 48 mm wide.
  { name: 'a 58 mm roll', widthMm: 58, heightMm: 600, marginMm: 5 },
] as const;

const world = await createWorld({ inMemory: true });
const shop = await createShop(world);
const owner = await signIn(world, 'owner', shop.id);
const { outside } = world;
const paid = await charge(world, shop, {
  amount: 36,
  customer_name: 'Kofi Mensah',
  description: 'Two yards of kente, one of wax print, and thread',
});
for (let n = 0; n < 2; n++) await pay(world, shop, mtn({ reference: paid, from: 'KOFI MENSAH' }));
const { access_code } = (await getCharge(outside, paid, shop.id)) ?? {};
const { json } = await call(world, makeLink, {
  key: shop.liveKey,
  body: { title: 'Hostel Wi-Fi for a week', description: 'A code for one phone.', amount: 25 },
});
const { till, writes } = await addTill(outside, shop.id, 'Counter 1');
await outside.table.write(writes);
await outside.table.write(
  await beginShift(outside, shop.id, till.till_id, { by: owner.user.user_id, insteadOf: undefined }),
);
const taken = mtn({ from: 'EFUA PREMPEH-AGYEMAN OPOKU', amount: '41.00' });
await pay(world, shop, taken);
const merchant = await merchantRows.find(outside, { merchant_id: shop.id });
if (!merchant) throw new Error('The shop is there');
const sticker = await makeSticker(outside, merchant, till.till_id, async (slug, _, all) => {
  await outside.table.write(all);
  return slug;
});

const slug = await request(world, shop, {
  title: 'School fees, term 2',
  customer_name: 'Kofi Mensah',
  lines: [{ description: 'Tuition', amount: 1_750.5 }],
});

const shift = (await tillRows.list(outside, { merchant_id: shop.id })).find(
  ({ till_id }) => till_id === till.till_id,
)?.shift;
if (!shift) throw new Error('The shift has begun');
await takePayment(
  outside,
  merchant,
  {
    till_id: till.till_id,
    shift_id: shift.shift_id,
    by: owner.user.user_id,
    receiptId: paymentId(shop, taken),
    amountPesewas: 4_100,
    reader: { seesIds: true },
  },
  (_, all) => outside.table.write(all),
);

interface Printed {
  readonly address: string;
  /** True if the print must fit on one sheet. */
  readonly isOneSheet: boolean;
  /** Minimum size of the QR code. A camera can read a code from a distance of ten times the code's size. */
  readonly qrMm?: Readonly<Record<(typeof papers)[number]['name'], number>>;
}
const QR_MM = { A4: 70, 'a 58 mm roll': 35 };
const printed = {
  poster: { address: `/pay/${json.data.slug}/poster`, isOneSheet: true, qrMm: QR_MM },
  sticker: { address: `/pay/${sticker}/poster`, isOneSheet: true, qrMm: QR_MM },
  'customer receipt': { address: `/checkout/${access_code}/receipt`, isOneSheet: true },
  'receipt for the shop': { address: `/dashboard/records/receipt/${paid}`, isOneSheet: true },
  'payment request': { address: `/r/${slug}`, isOneSheet: true },
  'shift closing': { address: '/dashboard/till/closing', isOneSheet: true },
  'case file': { address: `/dashboard/records/case/${paid}`, isOneSheet: false },
} satisfies Readonly<Record<string, Printed>>;

const at = browserForTests();
serveToTests(world, ['pay/poster', 'checkout/receipt', 'checkout/logo', 'r/page']);

describe.each(Object.entries<Printed>(printed))('the printed %s', (name, { address, isOneSheet, qrMm }) => {
  test.each(papers)('fits on $name and needs only black ink', async (paper) => {
    const page = await openDashboard({ ...at, world, by: owner }, address, { colorScheme: 'dark' });
    const pdf = await print(page, paper);
    if (process.env.PRINTED) keep(process.env.PRINTED, `${name} on ${paper.name}.pdf`, pdf);
    if (isOneSheet) expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await outsideAt(page, Math.floor((paper.widthMm - 2 * paper.marginMm) * PX_PER_MM))).toEqual([]);
    // Dark mode must not affect the print, and roll printers cannot print grey.
    expect(await page.evaluate(COLOURS)).toEqual(['rgb(0, 0, 0)']);
    for (const frame of await page.locator('nav, button, .unprinted, .test-band').all())
      expect(await frame.isVisible()).toBe(false);
    if (qrMm !== undefined) {
      const { width = 0 } = (await page.locator('.qr-code path').boundingBox()) ?? {};
      expect(width / PX_PER_MM).toBeGreaterThan(qrMm[paper.name]);
    }
  });
});

describe.each(['customer receipt', 'receipt for the shop', 'payment request'] as const)('the %s', (name) => {
  test.each(appearances)('states that it is not a VAT invoice: $name', async (appearance) => {
    const page = await openDashboard({ ...at, world, by: owner }, printed[name].address, appearance);
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      expect(await page.getByText('Not a VAT invoice', { exact: true }).isVisible()).toBe(true);
      expect(await outsideAt(page, appearance.viewport.width)).toEqual([]);
    }
  });
});

type Paper = (typeof papers)[number];

function print(page: Page, { widthMm, heightMm, marginMm }: Paper): Promise<Buffer> {
  const margin = `${marginMm}mm`;
  return page.pdf({
    width: `${widthMm}mm`,
    height: `${heightMm}mm`,
    margin: { top: margin, right: margin, bottom: margin, left: margin },
  });
}

function keep(folder: string, name: string, pdf: Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name.replaceAll(' ', '-')), pdf);
}

/** Returns the colours of all visible text. */
const COLOURS = `[...new Set([...document.querySelectorAll('main, main *')]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .map((one) => getComputedStyle(one).color))]`;
