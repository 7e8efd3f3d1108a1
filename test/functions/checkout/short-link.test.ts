import { expect, test } from 'vitest';
import { scene } from '../../support/scene.ts';

const world = await scene();

test('/c/{access_code} redirects to the authorization_url', async () => {
  const merchant = await world.createMerchant();
  const { data } = (await merchant.call('transaction/initialize', { body: { amount: 1 } })).json;
  const { status, headers, text } = await follow(data.access_code);
  expect({ status, location: headers.location, text }).toEqual({
    status: 302,
    location: data.authorization_url,
    text: '',
  });
});

test('an invalid access code redirects without a table read', async () => {
  world.requests.length = 0;
  expect((await follow('unknown')).headers.location).toBe('https://pay.example.com/checkout/unknown');
  expect(world.requests).toEqual([]);
});

test.each(['.', ')', '),', '\u200b', '”.', '*', '_', ' ', '_.'])(
  'a short link ignores %j after its access code',
  async (behind) => {
    const merchant = await world.createMerchant();
    const { data } = (await merchant.call('transaction/initialize', { body: { amount: 1 } })).json;
    expect((await follow(`${data.access_code}${behind}`)).headers.location).toBe(data.authorization_url);
    const page = await world.call('checkout/page', { parameters: { access_code: `${data.access_code}${behind}` } });
    expect({ status: page.status, showsAmount: page.text.includes('GHS 1.00') }).toEqual({
      status: 200,
      showsAmount: true,
    });
  },
);

test.each(['//evil.example.com', '?a=b#c', 'a\r\nset-cookie: a=b', '<script>'])(
  'a short link cannot redirect to another site with the access code %j',
  async (code) => {
    const { headers } = await follow(code);
    expect(headers.location).toMatch(/^https:\/\/pay\.example\.com\/checkout\/[^/?#\s<>]*$/);
  },
);

function follow(access_code: string) {
  return world.call('checkout/short-link', { parameters: { access_code } });
}
