import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { presentLink } from '../../shared/money/link/link.ts';
import { LinkRequest } from '../../shared/money/link/link-request.ts';
import { makeLink } from '../../shared/money/link/make-link.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Creates a payment link: a page where anyone can open a charge and pay it. */
export const handler = merchantRoute(
  manifest['link/create'],
  { body: LinkRequest },
  ({ merchant, body, commit }, outside) =>
    makeLink(outside, merchant, body, (link, writes) => commit(writes, ok('Link created', presentLink(outside, link)))),
);
