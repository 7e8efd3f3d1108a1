import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { recordAudit } from '../../../merchants/audit/audit.table.ts';
import { addedSender, simTaken } from '../../../phones/sender/manage-senders.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { sameSim } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { senderAddress } from './addresses.ts';
import { type NewSenderForm, type PlaceForm, placeFields } from './sender-form.ts';

/** Where a number is added. */
export async function showNewSender(visit: PersonVisit): Promise<Shown> {
  return {
    title: 'Add a number',
    main: html`<div class="card">${form(visit, { path: '/new', action: '', submit: 'Add the number' }, (filled) => [
      field(filled, {
        name: 'number',
        label: 'Number',
        type: 'tel',
        isRequired: true,
        hint: 'Of the SIM: 024 123 4567.',
      }),
      ...placeFields(filled),
    ])}</div>`,
  };
}

export async function addNumber(
  visit: PersonVisit<never, z.infer<typeof NewSenderForm>>,
  outside: Outside,
): Promise<Going> {
  return place(visit, outside, visit.form.number);
}

/**
 * Puts a number into a SIM, which must be no other's: it would be unclear which of the two a receipt that arrives there is for.
 * @throws PublicError `invalid_request`.
 */
export async function place(
  visit: Pick<PersonVisit<string, z.infer<typeof PlaceForm>>, 'form' | 'user' | 'commit'>,
  outside: Outside,
  number: string,
): Promise<Going> {
  const { form, user, commit } = visit;
  const { network, gateway, device: device_id, sim: sim_number, per_hour: messages_per_hour, use } = form;
  const receives_only = use && use === 'receive';
  const wanted = { number, network, gateway, device_id, sim_number };
  const senders = await listSenders(outside);
  const other = senders.find((one) => one.number !== number && sameSim(one, wanted));
  if (other) throw new PublicError('invalid_request', `${simTaken(wanted, other)}.`);
  const { sender, writes } = addedSender(outside, senders, { ...wanted, messages_per_hour, receives_only });
  const after = {
    gateway,
    sim: sim_number,
    per_hour: sender.messages_per_hour,
    ...(sender.receives_only && { receives_only: true }),
  };
  const noted = recordAudit(outside, { by: user.user_id, action: 'sender add', about: number, after });
  return commit([...writes, noted], {
    goTo: senderAddress(number),
    notice: `${shownNumber(number)} is SIM ${sim_number} of that phone now. The next minute shows whether the gateway knows it.`,
  });
}
