import * as z from 'zod/mini';
import { addNote } from '../../../money/transaction/change-transaction.table.ts';
import { MAX_NOTES } from '../../../money/transaction/payment.ts';
import { requireTransaction, type Transaction } from '../../../money/transaction/transaction.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { text } from '../../../runtime/values/text.ts';
import type { Html } from '../html.ts';
import { textField } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { chargeAddress } from './addresses.ts';

const MAX_CHARACTERS = 280;

export const NoteForm = z.object({ note: text(MAX_CHARACTERS) });

/** Where somebody of the team writes a note; those that there are stand in the charge's timeline. */
export function noteSection(visit: MerchantVisit<'reference'>, { reference, notes = [] }: Transaction): Html | string {
  if (notes.length >= MAX_NOTES) return '';
  return section(
    'Note',
    form(
      visit,
      { path: '/{reference}/note', action: `${chargeAddress(reference)}/note`, submit: 'Add the note' },
      (filled) =>
        textField(filled, {
          name: 'note',
          label: 'Your note',
          hint: `Your team alone sees it. At most ${MAX_CHARACTERS} characters.`,
          rows: 3,
          isRequired: true,
        }),
    ),
  );
}

export async function writeNote(
  visit: MerchantVisit<'reference', z.infer<typeof NoteForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  const note = { at: new Date(outside.now()).toISOString(), by: user.user_id, text: form.note };
  const { reference } = charge;
  const writes = withAudit(outside, visit, [addNote(charge, note)], { action: 'charge note', about: reference });
  return commit(writes, { goTo: chargeAddress(reference), notice: 'The note was added.' });
}
