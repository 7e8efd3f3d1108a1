import type * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { audited, recordAudit } from '../../../merchants/audit/audit.table.ts';
import { removeSender } from '../../../merchants/merchant/senders.ts';
import { requireSender, switchSender } from '../../../phones/sender/manage-senders.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { OPERATOR_PHONES } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';
import { numberIn, senderAddress } from './addresses.ts';
import { place } from './new-sender.ts';
import type { PlaceForm } from './sender-form.ts';

type OfNumber<Form = undefined> = PersonVisit<'number', Form>;

export async function moveSender(visit: OfNumber<z.infer<typeof PlaceForm>>, outside: Outside): Promise<Going> {
  const { number } = await requireSender(outside, numberIn(visit.path.number));
  return place(visit, outside, number);
}

export function enableSender(visit: OfNumber, outside: Outside): Promise<Going> {
  return turn(visit, outside, true);
}

export function disableSender(visit: OfNumber, outside: Outside): Promise<Going> {
  return turn(visit, outside, false);
}

export async function removeNumber({ path, user, commit }: OfNumber, outside: Outside): Promise<Going> {
  const number = numberIn(path.number);
  const writes = await removeSender(outside, number);
  const noted = recordAudit(outside, { by: user.user_id, action: 'sender remove', about: number });
  return commit([...writes, noted], { goTo: OPERATOR_PHONES, notice: `${shownNumber(number)} was removed.` });
}

async function turn({ path, user }: OfNumber, outside: Outside, enabled: boolean): Promise<Going> {
  const { number, enabled: isOn } = await requireSender(outside, numberIn(path.number));
  const action = enabled ? 'sender enable' : 'sender disable';
  const noted = audited(outside, () => ({ by: user.user_id, action, about: number }));
  if (isOn !== enabled) await switchSender(noted, number, enabled);
  return {
    goTo: senderAddress(number),
    notice: `${shownNumber(number)} ${enabled ? 'accepts texts again' : 'accepts no new texts'}.`,
  };
}
