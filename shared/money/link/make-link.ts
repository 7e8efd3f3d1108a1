import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { withCodes } from './add-codes.ts';
import { createLink, type Link, SlugTaken } from './link.table.ts';
import { checkLink, newLink } from './link.ts';
import type { LinkRequest } from './link-request.ts';

export function makeLink<Result>(
  outside: Outside,
  merchant: Merchant,
  { till, ...asked }: LinkRequest & Pick<Link, 'till'>,
  commit: (link: Link, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(
    () => {
      const bare = { ...newLink(outside, merchant, asked), ...(till !== undefined && { till }) };
      const { link, codes } = asked.codes ? withCodes(bare, asked.codes) : { link: bare, codes: [] };
      checkLink(outside, link);
      return commit(link, [createLink(link), ...codes, ...countTests(outside, merchant.merchant_id)]);
    },
    // Ten collisions in a row mean that the random source is broken: there are 853 billion slugs.
    { isChanged: (error) => error instanceof SlugTaken, tries: 10 },
  );
}
