import { FORWARDER } from '../../phones/gateway/forwarder.ts';
import {
  FORM_KEPT_MS,
  type KnownForm,
  listPhones,
  noteFormsAsked,
  type Phone,
} from '../../phones/gateway/phone.table.ts';
import { understands } from '../../phones/gateway/read-callback.ts';
import { type Clock, isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { askPhoneAgain } from './ask-again.ts';

/** Maximum delay of a text from a phone without internet. */
const POSTED_LATE_MS = HOUR_MS;

/**
 * Counts phones whose callbacks cannot be parsed. Asks a phone to resend its texts once its callbacks can be parsed
 * again.
 */
export async function watchForms(outside: WorkerOutside): Promise<void> {
  const { phones } = await listPhones(outside);
  let notUnderstood = 0;
  for (const phone of phones) {
    const forms = unreadForms(outside, phone);
    if (forms.some(({ isOpen }) => isOpen)) {
      notUnderstood++;
      outside.log.warn('callbacks_not_understood', { gateway: phone.gateway, device: phone.device_id });
    }
    await askForUnread(
      outside,
      phone,
      forms.filter(({ mayBeRead, asked_ms }) => mayBeRead && asked_ms === undefined),
    );
  }
  outside.metrics.count('callbacks_not_understood', notUnderstood);
}

/**
 * A callback format that could not be parsed. `isOpen`: more callbacks in this format may follow. `mayBeRead`: this
 * release can parse the format, or a later callback was parsed.
 */
type UnreadForm = KnownForm & { readonly isOpen: boolean; readonly mayBeRead: boolean };

export function unreadForms(outside: Clock, { odd_forms = [], read_ms = 0 }: Phone): UnreadForm[] {
  return odd_forms
    .filter(({ fault, last_ms }) => fault !== 'mended' && outside.now() - last_ms < FORM_KEPT_MS)
    .map((form) => {
      const isOver = understands(form);
      const isReadSince = read_ms > form.last_ms;
      // An app may use a known format for one text and an unknown one for the next.
      const isOpen = !isOver && (!isReadSince || outside.now() - form.last_ms < DAY_MS);
      return { ...form, isOpen, mayBeRead: isOver || isReadSince };
    });
}

async function askForUnread(outside: WorkerOutside, phone: Phone, forms: readonly UnreadForm[]): Promise<void> {
  if (forms.length === 0 || phone.gateway === FORWARDER) return;
  const since = isoOf(Math.min(...forms.map(({ first_ms }) => first_ms)) - POSTED_LATE_MS);
  const until = isoOf(Math.max(...forms.map(({ last_ms }) => last_ms)));
  if (await askPhoneAgain(outside, phone, since, until)) await noteFormsAsked(outside, phone, forms);
}
