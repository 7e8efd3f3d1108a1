import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { pageOf } from '../../runtime/http/pagination.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { findContact, listContacts } from './contact.table.ts';

/**
 * Lists a merchant's contacts by number, paginated. The query's `number` selects a single contact.
 * @throws PublicError `invalid_request`.
 */
export async function listContactsByQuery(
  outside: TableOutside,
  merchantId: string,
  { number: written, ...query }: Readonly<Record<string, string | undefined>>,
) {
  const page = pageOf(query);
  const { limit, start } = page;
  if (written === undefined) return { page, ...(await listContacts(outside, merchantId, { limit, start })) };
  const number = parsePhoneNumber(written);
  if (number === undefined)
    throw invalidRequest([{ field: 'number', message: 'must be a Ghanaian number, such as 0241234567' }]);
  const found = await findContact(outside, merchantId, number);
  return { page, contacts: found ? [found] : [], next: undefined };
}
