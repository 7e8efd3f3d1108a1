import { beforeEach, expect, test } from 'vitest';
import { handler } from '../../../functions/dashboard/requests.ts';
import { listRequests, type PaymentRequest } from '../../../shared/money/request/request.table.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { createShop, mtn, pay, type Shop } from '../../support/receipts.ts';
import { createWorld, type World } from '../../support/world.ts';
import { openPart } from '../request/requests.ts';

const REQUESTS = '/dashboard/requests';

let world: World;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
  owner = await signIn(world, 'owner', shop.id);
});

test('a request is made by a form, listed, and shown with its address and what is paid', async () => {
  expect((await see(REQUESTS)).text).toContain('No payment requests yet');
  const request = await made({
    title: 'School <fees>',
    lines: 'Tuition GHS 1,750.50\r\n\r\nBooks = 25\nSports: 4.75 ',
    customer_name: 'Kofi Mensah',
    customer_phone: '024 111 2222',
    due: '2099-01-31',
    every: 'month',
    until: '2099-03-31',
    reminders: '-3, 0 7',
  });
  expect(request).toMatchObject({
    lines: [
      { description: 'Tuition', amount_pesewas: 175_050 },
      { description: 'Books', amount_pesewas: 2_500 },
      { description: 'Sports', amount_pesewas: 475 },
    ],
    instalments: [{ due: '2099-01-31' }, { due: '2099-02-28' }, { due: '2099-03-31' }],
    reminder_days: [-3, 0, 7],
    total_pesewas: 534_075,
  });
  expect((await see(REQUESTS)).text).toContain('School &lt;fees&gt;');
  const reference = await openPart(world, request.slug, '100.25');
  await pay(world, shop, mtn({ reference, amount: '100.25' }));
  const { text } = await see(`${REQUESTS}/${request.slug}`);
  for (const shown of [`${world.outside.baseUrl}/r/${request.slug}`, 'GHS 5,240.50', reference, 'Partly paid'])
    expect(text).toContain(shown);
});

test('instalments are typed a line each', async () => {
  const instalments = '2099-01-31 600\n2099-02-28 400.50';
  const request = await made({ title: 'Fees', lines: 'Tuition 1000.50', instalments });
  expect(request.instalments).toEqual([
    { due: '2099-01-31', amount_pesewas: 60_000 },
    { due: '2099-02-28', amount_pesewas: 40_050 },
  ]);
});

test.each([
  { title: '', lines: 'Tuition 10' },
  { title: 'Fees', lines: 'Tuition' },
  { title: 'Fees', lines: 'Tuition 1,00' },
  { title: 'Fees', lines: 'Tuition 10', due: '2099-01-01', reminders: 'soon', customer_phone: '0241112222' },
  { title: 'Fees', lines: 'Tuition 10', instalments: '2099-01-31 9' },
  { title: 'Fees', lines: 'Tuition 10', due: '2099-01-01', every: 'month' },
] as Record<string, string>[])('%j is refused, and the form says why', async (form) => {
  const answer = await send(`${REQUESTS}/new`, form);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('class="fault"');
  expect(await requests()).toEqual([]);
});

test('a request is cancelled, once, and its page says so', async () => {
  const { slug } = await made({ title: 'Fees', lines: 'Tuition 10' });
  for (let n = 0; n < 2; n++) expect((await send(`${REQUESTS}/${slug}/cancel`, {})).status).toBe(303);
  const { text } = await see(`${REQUESTS}/${slug}`);
  expect([text.includes('Cancelled'), text.includes('Cancel this request')]).toEqual([true, false]);
  expect((await requests())[0]?.version).toBe(2);
});

test('a request of another merchant’s is not there', async () => {
  const { slug } = await made({ title: 'Fees', lines: 'Tuition 10' });
  const stranger = await signIn(world, 'owner', (await createShop(world)).id);
  expect((await visit(world, handler, `${REQUESTS}/${slug}`, { by: stranger })).status).toBe(404);
  expect((await visit(world, handler, `${REQUESTS}/${slug}/cancel`, { by: stranger, form: {} })).status).toBe(404);
});

async function made(form: Record<string, string>): Promise<PaymentRequest> {
  const answer = await send(`${REQUESTS}/new`, form);
  if (answer.status !== 303) throw new Error(`The form was answered ${answer.status}: ${answer.text}`);
  const [request] = await requests();
  if (!request) throw new Error('It was just made');
  return request;
}

async function requests(): Promise<PaymentRequest[]> {
  return (await listRequests(world.outside, shop.id, { newestFirst: true })).requests;
}

const see = (path: string) => visit(world, handler, path, { by: owner });
const send = (path: string, form: Record<string, string>) => visit(world, handler, path, { by: owner, form });
