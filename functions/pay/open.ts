import { openThroughLink } from '../../shared/money/link/open-link-charge.ts';
import { answerOpening, PayRequest } from '../../shared/pages/pay/open.ts';
import { linkOfSlug, payPage } from '../../shared/pages/pay/page.ts';
import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { asksForJson } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayRequest, form: true, errorPage };

/** Opens a charge through a payment link and redirects to the checkout page. */
export const handler = http(
  manifest['pay/open'],
  options,
  async ({ path, body: typed, headers, sourceIp }, outside) => {
    const found = await linkOfSlug(outside, path.slug);
    const { merchant, link } = found;
    return answerOpening({
      merchant,
      isJson: asksForJson(headers),
      open: () => openThroughLink(outside, merchant, link, { typed, sourceIp }),
      again: (error) => payPage(outside, found, { error, typed }),
    });
  },
);
