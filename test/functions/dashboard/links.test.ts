import { beforeEach, describe, expect, test } from 'vitest';
import { type Link, linkRows } from '../../../shared/money/link/link.table.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { cellsIn, foldsIn, wordsOf } from '../../support/page-words.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const LINKS = '/dashboard/links';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

test('a new link is listed with its URL', async () => {
  expect((await see(LINKS)).text).toContain('No payment links yet');
  const link = await made({ title: 'Hostel <Wi-Fi>', amount: '25', note_label: 'Your room', ends_on: '2099-12-24' });
  expect(link).toMatchObject({ amount_pesewas: 2_500, note_label: 'Your room', ends_at: '2099-12-24T23:59:59.999Z' });
  expect((await see(LINKS)).text).toContain('Hostel &lt;Wi-Fi&gt;');
  expectWords((await see(`${LINKS}/${link.slug}`)).text, [`${world.outside.baseUrl}/pay/${link.slug}`, 'No bills yet']);
});

test.each([
  [{ title: '' }, 'title'],
  [{ title: 'X', amount: '5', min_amount: '1' }, 'min_amount'],
  [{ title: 'X', ends_on: '2020-01-01' }, 'ends_at'],
] as [Record<string, string>, string][])('a form with %j shows an error', async (form, _) => {
  const { status, text } = await send(`${LINKS}/new`, form);
  expect(status).toBe(400);
  expect(text).toMatch(/ aria-invalid="true"| role="alert">[^<]/);
});

test('editing a link replaces every field', async () => {
  const form = { title: 'Wi-Fi', description: 'One week', amount: '25', note_label: 'Room', text_codes: 'on' };
  const { slug } = await made(form);
  const changed = await send(`${LINKS}/${slug}/change`, { title: 'Wi-Fi!', min_amount: '5' });
  expect(changed.status).toBe(303);
  const [link] = await links();
  expect(link).toMatchObject({ title: 'Wi-Fi!', min_pesewas: 500, texts_codes: false });
  expect({
    amount_pesewas: link?.amount_pesewas,
    description: link?.description,
    note_label: link?.note_label,
  }).toEqual({ amount_pesewas: undefined, description: undefined, note_label: undefined });
});

test('an ended link is marked as ended', async () => {
  const { slug } = await made({ title: 'Wi-Fi' });
  await send(`${LINKS}/${slug}/end`, {});
  expectWords((await see(`${LINKS}/${slug}`)).text, ['Ended'], ['End this link', 'class="button"']);
});

describe('a link with more than a page of unpaid bills', () => {
  const unpaid = 26;
  const opened = async () => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    const { reference } = await world.openLink(slug);
    await shop.pay(mtn({ reference, amount: '25.00' }));
    world.clock.nowMs += 1_000;
    for (let n = 0; n < unpaid; n++) await world.openLink(slug);
    await settle();
    return { slug, reference };
  };
  const totalIn = (text: string) => wordsOf(text).match(/^\d+ .*paid: .*$/m)?.[0];

  test('lists the bills with payments first', async () => {
    const { slug, reference } = await opened();
    const { text } = await see(`${LINKS}/${slug}`);
    expect(text).toContain(reference);
    expect(totalIn(text)).toBe('1 paid: GHS 25.00 Not verified');
  });

  test('lists all bills on request, with the total of the bills shown', async () => {
    const { slug, reference } = await opened();
    const { text } = await see(`${LINKS}/${slug}?list=all`);
    expect(text).not.toContain(reference);
    const [, last = ''] = /href="([^"]*cursor=[^"]*)"/.exec(text) ?? [];
    const { text: older } = await see(last.replaceAll('&amp;', '&'));
    expect(older).toContain(reference);
    expect(totalIn(older)).toBe('1 of the newest bills paid: GHS 25.00 Not verified');
  });

  test('lists all bills while none has a payment', async () => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    const { reference } = await world.openLink(slug);
    await settle();
    const { text } = await see(`${LINKS}/${slug}`);
    expect(text).toContain(reference);
    expect(totalIn(text)).toBeUndefined();
  });

  test('lists the older of its bills while none has a payment', async () => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    const { reference } = await world.openLink(slug);
    world.clock.nowMs += 1_000;
    for (let n = 0; n < unpaid; n++) await world.openLink(slug);
    await settle();
    const [, next = ''] = /href="([^"]*cursor=[^"]*)"/.exec((await see(`${LINKS}/${slug}`)).text) ?? [];
    const { status, text } = await see(next.replaceAll('&amp;', '&'));
    expect(status).toBe(200);
    expect(text).toContain(reference);
  });
});

test('a link’s bills show what was asked and, with their state, another amount that was paid', async () => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  const { reference } = await world.openLink(slug);
  const cells = async () =>
    [...(await see(`${LINKS}/${slug}`)).text.matchAll(/<td [^>]*data-name="([^"]*)"/g)].map(([, name]) => name);
  await settle();
  expect(await cells()).toEqual(['Payer', 'Reference', 'State', 'Created', 'Amount']);
  await shop.pay(mtn({ reference, amount: '40.00', from: 'YAA BOATENG' }));
  await settle();
  expect(await cells()).toEqual(['Payer', 'Reference', 'State', 'Created', 'Amount']);
  const { text } = await see(`${LINKS}/${slug}`);
  const state = 'Not verified GHS 15.00 too much';
  expect(cellsIn(text, 'Bills, newest first')).toEqual([
    ['YAA BOATENG', reference, state, expect.any(String), 'GHS 25.00'],
  ]);
});

test('a link’s total says to look first, whether one or more of its payments are not verified', async () => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  for (const words of ['Check your MoMo balance first.</b>', 'These payments are not verified and may be forged.']) {
    await shop.pay(mtn({ reference: (await world.openLink(slug)).reference, amount: '25.00' }));
    await settle();
    expect((await see(`${LINKS}/${slug}`)).text).toContain(words);
  }
});

test('a link’s first card leads to the bill to check, and says what is too much', async () => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  const card = async () => /<section class="summary">(.*?)<\/section>/s.exec((await see(`${LINKS}/${slug}`)).text)?.[1];
  const [first, second] = [await world.openLink(slug), await world.openLink(slug)];
  await shop.pay(mtn({ reference: first.reference, amount: '40.00' }));
  await settle();
  const refund = `After the check, <a href="/dashboard/charges/${first.reference}#refund">refund it on its bill</a>.`;
  expectWords((await card()) ?? '', [
    `GHS\u00a015.00 (not verified) is too much. ${refund}`,
    `<a class="button" href="/dashboard/charges/${first.reference}">Check it on its bill</a>`,
  ]);
  await shop.pay(mtn({ reference: second.reference, amount: '26.00' }));
  await settle();
  expectWords((await card()) ?? '', ['GHS\u00a016.00 (not verified) is too much on 2 of the bills below.'], [refund]);
  await verifyMoney(world);
  expectWords((await card()) ?? '', ['GHS\u00a016.00 is too much on 2'], ['look for', 'See what the texts say']);
  await send(`/dashboard/charges/${second.reference}/refund`, { amount: '1', reason: 'Too much' });
  expectWords((await card()) ?? '', [
    `GHS\u00a015.00 is too much. <a href="/dashboard/charges/${first.reference}#refund">Refund`,
  ]);
});

test.each([
  ['Your room', 'Your room'],
  ['State', 'Answer'],
])('a link that asks “%s” lists its bills by the answer, in the column “%s”', async (note_label, column) => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25', note_label });
  const { reference } = await world.openLink(slug, { note: 'Room 7' });
  await settle();
  const { text } = await see(`${LINKS}/${slug}`);
  expect([...text.matchAll(/<td [^>]*data-name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    column,
    ...['Reference', 'State', 'Created', 'Amount'],
  ]);
  expect(cellsIn(text, 'Bills, newest first')).toEqual([
    ['Room 7', reference, 'Waiting', expect.any(String), 'GHS 25.00'],
  ]);
});

test('a link without codes has one fold about them below its bills', async () => {
  const places = async (slug: string) =>
    [...(await see(`${LINKS}/${slug}`)).text.matchAll(/<(?:h2|summary)[^>]*>([\w ]* codes|Codes|Bills)</g)].map(
      ([, name]) => name,
    );
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  expect(await places(slug)).toEqual(['Bills', 'Hand out codes', 'Upload codes']);
  await send(`${LINKS}/${slug}/codes`, { codes: 'A1\nB2' });
  const stocked = ['Paste codes', 'Upload codes', 'Remove the remaining codes'];
  expect(await places(slug)).toEqual(['Codes', ...stocked, 'Bills']);
});

test('the fold about codes is open while it shows an error', async () => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  const { text } = await send(`${LINKS}/${slug}/codes`, { codes: 'Ä-1' });
  expect(foldsIn(text)).toContainEqual({ summary: 'Hand out codes', isOpen: true });
});

describe('stock codes', () => {
  test('can be added with a new link or later', async () => {
    const { text } = await owner.visit(`${LINKS}/new`);
    const labels = [...text.matchAll(/<label for="(\w+)"/g)].map(([, name]) => name);
    expect(labels.slice(0, 3)).toEqual(['title', 'amount', 'codes']);
    const form = { title: 'Wi-Fi', amount: '25', codes: 'A-1\r\nA-2\nA-1' };
    const { status, cookies } = await send(`${LINKS}/new`, form);
    expect(status).toBe(303);
    expect(noticeIn(cookies)).toMatch(/^The link is ready.*2 codes added\. 1 left out: listed more than once\.$/);
    expect(await links()).toMatchObject([{ codes_stocked: 2 }]);
    expect(await shop.audit(/^codes add$/)).toMatchObject([{ after: { added: 2 } }]);
    const { text: page } = await see(`${LINKS}/${(await links())[0]?.slug}`);
    expect(page).toContain('<summary>Paste codes');
  });

  test.each([
    [{ amount: '25', codes: 'A-1\nÄ-1' }, 'line 2'],
    [{ codes: 'A-1' }, 'amount'],
  ])('are rejected together with an invalid new link: %j', async (form, told) => {
    const { status, text } = await send(`${LINKS}/new`, { title: 'Wi-Fi', ...form });
    expect({ status, fault: /id="codes-error">([^<]*)/.exec(text)?.[1] }).toEqual({
      status: 400,
      fault: expect.stringContaining(told),
    });
    expect(await links()).toEqual([]);
  });

  test('are entered one per line without duplicates', async () => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    const paste = async (codes: string) => noticeIn((await send(`${LINKS}/${slug}/codes`, { codes })).cookies);
    expect(await paste('A-1\r\nA-2\n\n A-3 \nA-1\n')).toBe('3 codes added. 1 left out: listed more than once.');
    const said = '1 code added. 2 left out: already added to this link before. 1 left out: listed more than once.';
    expect(await paste('A-3\nA-2\nA-4\nA-4')).toBe(said);
    expect((await links())[0]).toMatchObject({ codes_stocked: 4, codes_drawn: 0 });
  });

  test('can be uploaded as the first column of a file', async () => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    const files = { file: Buffer.from('\ufeff"A-1",week\r\n"A-2",week\r\n') };
    const { status } = await owner.visit(`${LINKS}/${slug}/codes-file`, { form: {}, files });
    expect({ status, codes_stocked: (await links())[0]?.codes_stocked }).toEqual({ status: 303, codes_stocked: 2 });
  });

  test.each([
    ['several invalid codes', 'A-1\n\nÄ-1\nÖ-2', '2 lines cannot be used (line 3: &quot;Ä-1&quot; must be'],
    ['one invalid code', 'Ä-1', 'Ä-1'],
    ['a code that is too long', 'A'.repeat(101), 'AAA'],
    ['too many codes', Array.from({ length: 501 }, String).join('\n'), '500'],
  ])('are all rejected if the list contains %s', async (_, codes, said) => {
    const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
    expectAnswer(await send(`${LINKS}/${slug}/codes`, { codes }), 400, said);
    expect((await links())[0]?.codes_stocked).toBeUndefined();
  });

  test('can be removed only while unsold', async () => {
    const { slug, reference } = await sold();
    await send(`${LINKS}/${slug}/remove-codes`, {});
    expect((await links())[0]).toMatchObject({ codes_stocked: 2, codes_drawn: 2 });
    expect((await see(`${LINKS}/${slug}`)).text).toContain('of 2, 1 removed');
    expect((await see(codePage(slug, reference))).text).toContain('FIRST-CODE');
  });

  const readers = [
    ['owner', true],
    ['manager', true],
    ['cashier', false],
    ['viewer', false],
    ['developer', false],
  ] as const;

  test.each(readers)('are visible after the sale only with permission (%s: %s)', async (role, mayRead) => {
    const { slug, reference } = await sold();
    const by = await shop.signIn(role);
    const pages = [LINKS, `${LINKS}/${slug}`, `${LINKS}/${slug}/charges.csv`, codePage(slug, reference)];
    const texts = await Promise.all(pages.map(async (path) => (await by.visit(path)).text));
    expect(texts.map((text) => text.includes('FIRST-CODE'))).toEqual([false, false, false, mayRead]);
  });

  test.each(readers)('are linked from the bill only with permission (%s: %s)', async (role, mayRead) => {
    const { slug, reference } = await sold();
    const open = await world.openLink(slug);
    const by = await shop.signIn(role);
    const addressOf = async (one: string) => `/${(await world.chargeRow(one))?.access_code}`;
    const sent = { by, form: { to: '0241234500' } };
    const receipt = await by.visit(`/dashboard/records/receipt/${reference}`);
    const charge = await by.visit(`/dashboard/charges/${open.reference}`);
    const paid = await by.visit(`/dashboard/charges/${reference}`);
    const refused = await world.visit(`/dashboard/charges/${open.reference}/send`, sent);
    expect({ receipt: receipt.status, charge: charge.status, paid: paid.status }).toEqual({
      receipt: 200,
      charge: 200,
      paid: 200,
    });
    const [ofPaid, ofOpen] = [await addressOf(reference), await addressOf(open.reference)];
    const shown = [receipt.text.includes(ofPaid), charge.text.includes(ofOpen), paid.text.includes(ofPaid)];
    expect([...shown, refused.status !== 403]).toEqual([mayRead, mayRead, false, mayRead]);
  });

  test('require permission to release for an unverified payment', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 0 });
    const { slug, reference } = await sold();
    const task = `<a href="${LINKS}/${slug}"><b>1 customer waiting for a code</b>`;
    expect((await see('/dashboard/today')).text).toContain(task);
    expect((await see(codePage(slug, reference))).text).toContain('Release the code');
    const cashier = await shop.signIn('cashier');
    const path = `${codePage(slug, reference)}/release`;
    expect((await cashier.visit(path, { form: {} })).status).toBe(403);
    expect((await send(path, { shown: 'unverified' })).status).toBe(303);
    await settle();
    const given = { goods: { state: 'given', number: 1 }, released_by: owner.user.user_id };
    expect(await world.chargeRow(reference)).toMatchObject(given);
    expect((await see('/dashboard/today')).text).not.toContain('waiting for a code');
    expect((await send(path, {})).status).toBe(409);
  });
});

test('a code cannot be released once a refund of the whole payment is recorded', async () => {
  await shop.change({ confirm_unproven_up_to_pesewas: 0 });
  const { slug, reference } = await sold();
  await send(`/dashboard/charges/${reference}/refund`, { amount: '25' });
  const { text } = await see(codePage(slug, reference));
  expect(text).toContain('The money was sent back or reversed, so the code stays on hold.');
  expect(text).not.toContain('Release the code');
});

describe('the note about codes for unverified payments', () => {
  const WAITS = 'is held until the payment is verified or someone releases it';
  const pageOf = async (form: Record<string, string>) =>
    (await see(`${LINKS}/${(await made({ title: 'Ticket', ...form })).slug}`)).text;

  test.each([
    ['a price at the limit', { amount: '50' }, undefined, false],
    ['a price above the limit', { amount: '50.01' }, undefined, true],
    ['a price set by the customer', { min_amount: '1' }, undefined, true],
    ['a price set by the customer, up to the limit', { max_amount: '50' }, undefined, false],
    ['a price within the shop’s own limit', { amount: '80' }, 80_00, false],
    ['a price above the shop’s own limit', { amount: '81' }, 80_00, true],
  ])('is shown only if the price can exceed the limit: %s', async (_, form, limit, isSaid) => {
    if (limit !== undefined) await shop.change({ confirm_unproven_up_to_pesewas: limit });
    const [, text] = (await pageOf(form)).split('<summary>Hand out codes');
    expect(text?.includes(WAITS)).toBe(isSaid);
    if (isSaid) expect(text).toContain(`A code for a payment above GHS\u00a0${(limit ?? 50_00) / 100}.00 ${WAITS}`);
  });

  test.each([
    ['50', 'given'],
    ['51', 'to_release'],
  ])('is accurate: after a payment of GHS %s, the code is %s', async (amount, state) => {
    const { slug } = await made({ title: 'Ticket', amount });
    await send(`${LINKS}/${slug}/codes`, { codes: 'A-1' });
    const { reference } = await world.openLink(slug);
    await shop.pay(mtn({ reference, amount: `${amount}.00` }));
    await settle();
    expect((await world.chargeRow(reference))?.goods?.state).toBe(state);
  });

  test('is always shown if every unverified payment needs a check', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 0 });
    expect(await pageOf({ amount: '1' })).toContain(`A code ${WAITS}`);
    expect((await see(`${LINKS}/new`)).text).toContain(`A code ${WAITS}`);
  });

  test('is not shown in test mode', async () => {
    const { slug } = await made({ title: 'Ticket', amount: '100' });
    expect((await see(`${LINKS}/${slug}`)).text).toContain(WAITS);
    await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test', next: LINKS } });
    expect((await see(`${LINKS}/new`)).text).not.toContain(WAITS);
  });

  test('links to the matching settings', async () => {
    const { slug } = await made({ title: 'Ticket', amount: '100' });
    const lead = '<a href="/dashboard/settings/matching">';
    expect((await see(`${LINKS}/${slug}`)).text).toContain(lead);
    const viewer = await shop.signIn('viewer');
    expectWords((await viewer.visit(`${LINKS}/${slug}`)).text, [], [WAITS, lead]);
  });
});

test('a link’s figures come before its address', async () => {
  const { slug } = await made({ title: 'Ticket', amount: '25', codes: 'A-1' });
  await shop.pay(mtn({ reference: (await world.openLink(slug)).reference, amount: '25.00' }));
  await settle();
  const { text } = await see(`${LINKS}/${slug}`);
  const [above = ''] = text.split('<h2>Share it</h2>');
  expectWords(above, [
    '1 paid: ',
    '<dt>Codes left</dt><dd>0 of 1</dd>',
    '<dt>Paid, waiting for the next codes</dt><dd>0</dd>',
  ]);
});

test('the codes come before the link’s address while payers are waiting for a code', async () => {
  const { slug } = await made({ title: 'Ticket', amount: '25' });
  await send(`${LINKS}/${slug}/codes`, { codes: 'A-1' });
  const order = async () =>
    [...(await see(`${LINKS}/${slug}`)).text.matchAll(/<h2>(Codes|Share it)<\/h2>/g)].map(([, name]) => name);
  const opened = [await world.openLink(slug), await world.openLink(slug)];
  const main = async () =>
    [...(await see(`${LINKS}/${slug}`)).text.matchAll(/class="button"[^>]*>([^<]*)/g)].map(([, name]) => name);
  expect(await order()).toEqual(['Share it', 'Codes']);
  expect(await main()).toEqual(['Share on WhatsApp']);
  for (const { reference } of opened) await shop.pay(mtn({ reference, amount: '25.00' }));
  await settle();
  expect(await order()).toEqual(['Codes', 'Share it']);
  expect(await main()).toEqual(['Check it on its bill']);
  const { text } = await see(`${LINKS}/${slug}`);
  expect(foldsIn(text)[0]).toEqual({ summary: 'Paste codes', isOpen: false });
  expectWords(text, [`href="${LINKS}/${slug}?codes=add#codes">Add codes</a>`]);
  const adding = await owner.visit(`${LINKS}/${slug}`, { query: { codes: 'add' } });
  expect(foldsIn(adding.text)[0]).toEqual({ summary: 'Paste codes', isOpen: true });
  expectWords(wordsOf(text), ['2 paid: GHS 50.00 Not verified']);
});

test('unverified payers who wait for a code are named as such, with the warning above “Add codes”', async () => {
  const { slug } = await made({ title: 'Ticket', amount: '25', codes: 'A-1' });
  const opened = [await world.openLink(slug), await world.openLink(slug)];
  for (const { reference } of opened) await shop.pay(mtn({ reference, amount: '25.00' }));
  await settle();
  const codes = async () => {
    const [, card = ''] = /<h2>Codes<\/h2>(.*?)<\/section>/s.exec((await see(`${LINKS}/${slug}`)).text) ?? [];
    return card.split('Paid, waiting for the next codes')[1] ?? '';
  };
  const first = async () =>
    /<section class="summary">(.*?)<\/section>/s.exec((await see(`${LINKS}/${slug}`)).text)?.[1] ?? '';
  const warning = ['Check your MoMo balance first.', 'Check it on its bill'];
  expectWords(await codes(), ['Paste codes', 'Not verified'], warning);
  expectWords(await first(), warning);
  const [beforeAdd = ''] = (await first()).split('Add codes');
  expectWords(beforeAdd, ['Check your MoMo balance first.', 'Check it on its bill']);
  await verifyMoney(world);
  expectWords(await codes(), ['Paste codes'], ['Not verified']);
  expectWords(await first(), [], warning);
});

test('a price change is audited and shown to the other owners', async () => {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  const manager = await shop.signIn('manager');
  const by = { by: manager, form: { title: 'Wi-Fi', amount: '0.01' } };
  for (let n = 0; n < 2; n++) await world.visit(`${LINKS}/${slug}/change`, by);
  world.clock.nowMs += 1_000;
  await manager.visit(`${LINKS}/${slug}/change`, { form: { title: 'Wi-Fi!', amount: '0.01' } });
  world.clock.nowMs += 1_000;
  await send(`${LINKS}/${slug}/change`, { title: 'Wi-Fi!', min_amount: '5' });
  const noPrice = [
    { amount_pesewas: 1, min_pesewas: null },
    { amount_pesewas: null, min_pesewas: 500 },
  ];
  expect((await shop.audit(/^link change$/)).map(({ before, after }) => [before, after])).toEqual([
    [{ amount_pesewas: 2_500 }, { amount_pesewas: 1 }],
    [{ title: 'Wi-Fi' }, { title: 'Wi-Fi!' }],
    noPrice,
  ]);
  const { text } = await owner.visit('/dashboard/today');
  expect(text.match(/Was changed/g)).toHaveLength(1);
  expect(text).toContain('Change the price of Wi-Fi');
  expect((await owner.visit('/dashboard/settings/changes')).text).toContain('Change the price of Wi-Fi');
});

test('a link with codes must have a price or a minimum amount', async () => {
  const { slug } = await made({ title: 'Wi-Fi' });
  expect((await see(`${LINKS}/${slug}`)).text).toContain('Codes need an amount or a minimum amount');
  expect((await send(`${LINKS}/${slug}/codes`, { codes: 'A-1' })).status).toBe(400);
  expect((await links())[0]?.codes_stocked).toBeUndefined();
  await send(`${LINKS}/${slug}/change`, { title: 'Wi-Fi', min_amount: '5' });
  expect((await send(`${LINKS}/${slug}/codes`, { codes: 'A-1' })).status).toBe(303);
  expect((await send(`${LINKS}/${slug}/change`, { title: 'Wi-Fi' })).status).toBe(400);
  expect((await links())[0]).toMatchObject({ min_pesewas: 500, codes_stocked: 1 });
});

test('a cashier can share a link but not edit it', async () => {
  const { slug } = await sold();
  const before = await links();
  const cashier = await shop.signIn('cashier');
  const forms: Record<string, Record<string, string>> = {
    new: { title: 'Mine' },
    [`${slug}/change`]: { title: 'Wi-Fi', amount: '0.01' },
    [`${slug}/end`]: {},
    [`${slug}/codes`]: { codes: 'MINE' },
    [`${slug}/codes-file`]: {},
    [`${slug}/remove-codes`]: {},
  };
  for (const [path, form] of Object.entries(forms))
    expect((await cashier.visit(`${LINKS}/${path}`, { form })).status).toBe(403);
  expect(await links()).toEqual(before);
  const pages = [LINKS, `${LINKS}/${slug}`].map((path) => cashier.visit(path));
  const [list, page] = (await Promise.all(pages)).map(({ text }) => text);
  expect({ listOffersNew: list?.includes('New link'), forms: page?.match(/<form [^>]*links\//g) }).toEqual({
    listOffersNew: false,
    forms: null,
  });
  expect(page).toContain(`/pay/${slug}/poster`);
});

test('charges and daily totals can be exported', async () => {
  const { slug, reference } = await sold();
  const file = await see(`${LINKS}/${slug}/charges.csv`);
  expect(file.text).toContain(`"${reference}"`);
  expect(file.text.trim().split('\r\n')).toHaveLength(3);
  const day = world.iso().slice(0, 10);
  const sums = await see(`${LINKS}/${slug}/sums.csv`);
  expect(sums.text).toContain(`"${day}",2,1,25,0`);
});

test('exports keep paid charges among more unpaid charges than a file lists', async () => {
  const { slug, reference } = await sold();
  const day = world.iso().slice(0, 10);
  world.clock.nowMs += DAY_MS;
  for (let n = 0; n < 1_001; n++) {
    if (n % 500 === 0) world.clock.nowMs += HOUR_MS;
    await world.openLink(slug);
  }
  await settle();
  owner = await shop.signIn('owner');
  expect((await see(`${LINKS}/${slug}/charges.csv`)).text).toContain(`"${reference}"`);
  const { text } = await see(`${LINKS}/${slug}/sums.csv`);
  expect(text).toContain(`"${day}",,1,25,0`);
});

/** Creates a link with a sold code, an unsold code and a pending charge. */
async function sold() {
  const { slug } = await made({ title: 'Wi-Fi', amount: '25' });
  await send(`${LINKS}/${slug}/codes`, { codes: 'FIRST-CODE\nA-2' });
  const { reference } = await world.openLink(slug);
  await world.openLink(slug);
  await shop.pay(mtn({ reference, amount: '25.00' }));
  await settle();
  return { slug, reference };
}

async function settle(): Promise<void> {
  for (let n = 0; n < 4; n++) await world.tell();
}

async function made(form: Record<string, string>): Promise<Link> {
  expect((await send(`${LINKS}/new`, form)).status).toBe(303);
  const [link] = await links();
  if (!link) throw new Error('It was just made');
  return link;
}

async function links(): Promise<Link[]> {
  return (await linkRows.page(world.outside, { merchant_id: shop.id }, { newestFirst: true })).entries;
}

const codePage = (slug: string, reference: string) => `${LINKS}/${slug}/code/${reference}`;
const see = (path: string) => owner.visit(path);
const send = (path: string, form: Record<string, string>) => owner.visit(path, { form });
