import { expect, test } from 'vitest';
import { handler as page } from '../../../../../functions/checkout/page.ts';
import { handler as shortLink } from '../../../../../functions/checkout/short-link.ts';
import { handler as notFound } from '../../../../../functions/not-found.ts';
import { handler as verify } from '../../../../../functions/transaction/verify.ts';
import { call, createWorld } from '../../../../support/world.ts';

const world = await createWorld({ inMemory: true });

test.each([
  ['an error as an envelope', verify, { parameters: { reference: 'MK-0000000000' } }, 401],
  ['an error as a page', page, { parameters: { access_code: 'none' } }, 404],
  ['a redirect', shortLink, { parameters: { access_code: '0'.repeat(22) } }, 302],
  ['an unknown route', notFound, {}, 404],
])('%s tells browsers to guess no type and to stay with TLS', async (_, handler, request, status) => {
  const answer = await call(world, handler, request);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  });
});
