import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { linkRows } from '../../shared/money/link/link.table.ts';
import { presentLink } from '../../shared/money/link/link.ts';
import type { LinkListResponse } from '../../shared/money/link/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf } from '../../shared/runtime/http/pagination.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['link/list'],
  { query: PAGE_PARAMETERS },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const { entries: links, next } = await linkRows.page(outside, merchant, page);
    return ok<LinkListResponse>(
      'Links',
      { links: links.map((link) => presentLink(outside, link)) },
      metaOf(page, next),
    );
  },
);
