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
    await askForUnread(outside, phone, forms.filter(isToAskFor));
  }
  outside.metrics.count('callbacks_not_understood', notUnderstood);
}

/**
 * A callback format that could not be parsed. `isOpen`: more callbacks in this format may follow. `isOver`: this release
 * can parse the format. `isReadSince`: a later callback was parsed, so the app may have changed.
 */
type UnreadForm = KnownForm & { readonly isOpen: boolean; readonly isOver: boolean; readonly isReadSince: boolean };

export function unreadForms(outside: Clock, { odd_forms = [], read_ms = 0 }: Phone): UnreadForm[] {
  return odd_forms
    .filter(({ fault, last_ms }) => fault !== 'repaired' && outside.now() - last_ms < FORM_KEPT_MS)
    .map((form) => {
      const isOver = understands(form);
      const isReadSince = read_ms > form.last_ms;
      // An app may use a known format for one text and an unknown one for the next.
      const isOpen = !isOver && (!isReadSince || outside.now() - form.last_ms < DAY_MS);
      return { ...form, isOpen, isOver, isReadSince };
    });
}

/** A request before the format could be parsed does not count, because its texts were not understood either. */
function isToAskFor({ isOver, isReadSince, asked_ms, is_understood }: UnreadForm): boolean {
  return isOver ? !is_understood : isReadSince && asked_ms === undefined;
}

async function askForUnread(outside: WorkerOutside, phone: Phone, forms: readonly UnreadForm[]): Promise<void> {
  if (forms.length === 0 || phone.gateway === FORWARDER) return;
  // Only a release that can parse the format needs the texts from before an earlier request.
  const firstMs = forms.map(({ isOver, first_ms, again_ms = first_ms }) => (isOver ? first_ms : again_ms));
  const since = isoOf(Math.min(...firstMs) - POSTED_LATE_MS);
  const until = isoOf(Math.max(...forms.map(({ last_ms }) => last_ms)));
  const asked = forms.map((form) => ({ ...form, is_understood: form.isOver }));
  if (await askPhoneAgain(outside, phone, since, until)) await noteFormsAsked(outside, phone, asked);
}
