import {
  addedSender,
  NOBODY,
  otherInSim,
  type PlacedSender,
  requireSender,
  simTaken,
} from '../../phones/sender/manage-senders.ts';
import type { SenderResponse } from '../../phones/sender/responses.ts';
import { deleteSender, listSenders, rememberedSenders, setSenderOwner } from '../../phones/sender/sender.table.ts';
import { presentSender, type Sender, sendingOf, sendsFor } from '../../phones/sender/sender.ts';
import { testSenders } from '../../phones/sender/test-senders.ts';
import type { Outside, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { requireMerchant } from './manage-merchant.ts';
import { listMerchantIds, listMerchants } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';
import { isTestAccount } from './test-account.ts';

/**
 * Returns the senders available to a merchant. Test accounts have test senders. Other merchants' numbers are excluded.
 */
export async function knownSenders(outside: Outside, merchantId: string): Promise<readonly Sender[]> {
  if (isTestAccount(merchantId)) return testSenders.map((sender) => ({ ...sender, owner: merchantId }));
  return (await rememberedSenders(outside)).filter((sender) => sendsFor(sender, merchantId));
}

/**
 * Assigns a number to a merchant. `NOBODY` makes the number available to all merchants.
 * @throws NoSuch if the sender or merchant does not exist.
 * @throws PublicError `invalid_request` if the number is another merchant's default sender.
 */
export async function giveSender(outside: TimedOutside, number: string, owner: string): Promise<void> {
  await outside.table.write((await prepareOwner(outside, number, owner)).writes);
}

export async function prepareOwner(outside: TimedOutside, number: string, owner: string) {
  await requireSender(outside, number);
  await refuseOwner(outside, number, owner);
  const writes = [setSenderOwner(outside, number, owner === NOBODY ? undefined : owner)];
  return { number, owner, writes, entry: { action: 'sender owner', about: number, after: { owner } } };
}

/**
 * Returns the owner of a number that is added or moved. Defaults to the current owner or, for a new number, to the
 * stage's only merchant.
 * @throws NoSuch if the merchant does not exist.
 * @throws PublicError `invalid_request` if the owner is ambiguous, or if the number is another merchant's default
 * sender.
 */
export async function ownerOfPlaced(
  outside: TableOutside,
  senders: readonly Sender[],
  { number, owner }: { readonly number: string; readonly owner: string | undefined },
): Promise<string | undefined> {
  if (owner !== undefined) {
    await refuseOwner(outside, number, owner);
    return owner;
  }
  if (senders.some((one) => one.number === number)) return undefined;
  const [only, ...others] = await listMerchantIds(outside, undefined, 2);
  if (others.length > 0)
    throw new PublicError(
      'invalid_request',
      `Specify the owner of ${number}: a merchant’s id, or "${NOBODY}" to share the number. Replies to a shared number are not stored.`,
    );
  return only;
}

async function refuseOwner(outside: TableOutside, number: string, owner: string): Promise<void> {
  if (owner === NOBODY) return;
  const { merchant_id } = await requireMerchant(outside, owner);
  const merchants = await listMerchants(outside);
  const others = merchants.filter((one) => one.default_from === number && one.merchant_id !== merchant_id);
  if (others.length > 0)
    throw new PublicError(
      'invalid_request',
      `Texts from ${others.map(({ name }) => name).join(', ')} are sent from ${number} by default. Choose a different default number for them first.`,
    );
}

/**
 * Assigns a number to a SIM that has no other number.
 * @throws NoSuch if the merchant does not exist.
 * @throws PublicError `invalid_request`.
 */
export async function preparePlacing(outside: TimedOutside, placed: PlacedSender) {
  const senders = await listSenders(outside);
  const other = otherInSim(senders, placed);
  if (other) throw new PublicError('invalid_request', `${simTaken(placed, other)}.`);
  const { number, gateway, sim_number: sim } = placed;
  const owner = await ownerOfPlaced(outside, senders, { number, owner: placed.owner });
  const { sender, writes } = addedSender(outside, senders, { ...placed, owner });
  const { messages_per_hour: per_hour, receives_only } = sender;
  const after = { gateway, sim, per_hour, owner: sender.owner ?? NOBODY, ...(receives_only && { receives_only }) };
  return { sender, writes, entry: { action: 'sender add', about: number, after } };
}

/** Lists a merchant's sending numbers, with a reason for each number that cannot send. */
export async function sendersOf(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
): Promise<SenderResponse[]> {
  return sendingOf(await knownSenders(outside, merchant_id)).map((sender) =>
    presentSender(outside, sender, merchant_id),
  );
}

/**
 * Removes a sender. Its queued texts are refunded, and its payment texts are ignored.
 * @throws NoSuch if the sender does not exist.
 * @throws PublicError `invalid_request` if the sender is enabled, or is a merchant's default sender.
 */
export async function prepareRemoval(outside: TableOutside, number: string) {
  const [sender, merchants] = await Promise.all([requireSender(outside, number), listMerchants(outside)]);
  if (sender.enabled)
    throw new PublicError(
      'invalid_request',
      `${number} still accepts texts. Disable the number, then wait until its texts have been sent.`,
    );
  const users = merchants.filter(({ default_from }) => default_from === number);
  if (users.length > 0)
    throw new PublicError(
      'invalid_request',
      `Texts from ${users.map(({ name }) => name).join(', ')} are sent from ${number} by default. Choose a different default number for them first.`,
    );
  return { number, writes: [deleteSender(number)], entry: { action: 'sender remove', about: number } };
}
