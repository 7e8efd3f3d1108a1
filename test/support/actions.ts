import type { Prepared } from '../../shared/merchants/audit/audit.table.ts';
import type { KeyHolder } from '../../shared/merchants/merchant/key-holder.ts';
import { prepareRate, prepareRevocation, prepareRoll } from '../../shared/merchants/merchant/manage-keys.ts';
import { prepareSuspension } from '../../shared/merchants/merchant/suspend-merchant.ts';
import { prepareAssignment } from '../../shared/money/settling/assign-receipt.ts';
import { prepareSwitch } from '../../shared/phones/sender/manage-senders.ts';
import type { Outside, TableOutside } from '../../shared/runtime/outside/outside.ts';
import { retryIfChanged } from '../../shared/runtime/table/contention.ts';
import { changeUrl } from '../../shared/webhook/change-webhook.ts';
import { currentSecret } from '../../shared/webhook/endpoint.ts';
import type { WebhookEventType } from '../../shared/webhook/event.ts';

/** Runs an owner's or operator's action without its audit entry. */
export const removeApiKey = doing(prepareRevocation);
export const rollApiKey = doing(prepareRoll);
export const changeKeyRate = doing(prepareRate);
export const suspendMerchant = doing(prepareSuspension);
export const switchSender = doing(prepareSwitch);
export const assignUnassignedReceipt = doing(prepareAssignment);
const changeWebhook = doing(changeUrl);

export async function setWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes' | 'allowsThisMachine'>,
  holder: KeyHolder,
  url: string,
  events?: WebhookEventType[],
) {
  const { endpoint } = await changeWebhook(outside, holder, { url, events });
  return { url: endpoint.url, secret: currentSecret(endpoint) };
}

function doing<Needs extends TableOutside, Given extends unknown[], Made extends Prepared>(
  prepare: (outside: Needs, ...given: Given) => Promise<Made>,
) {
  return (outside: Needs, ...given: Given): Promise<Made> =>
    retryIfChanged(async () => {
      const made = await prepare(outside, ...given);
      if (made.writes.length > 0) await outside.table.write(made.writes);
      return made;
    });
}
