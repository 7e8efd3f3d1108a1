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

/** A phone without internet may send a text this long after receiving it. */
const POSTED_LATE_MS = HOUR_MS;

/**
 * Counts phones whose posts are not understood. Asks such a phone to send its inbox again once this version, or an
 * updated app, understands its posts.
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
 * A format of posts that was not understood. `isOpen`: more may follow. `mayBeRead`: this format, or a later text, was
 * understood.
 */
type UnreadForm = KnownForm & { readonly isOpen: boolean; readonly mayBeRead: boolean };

export function unreadForms(outside: Clock, { odd_forms = [], read_ms = 0 }: Phone): UnreadForm[] {
  return odd_forms
    .filter(({ fault, last_ms }) => fault !== 'mended' && outside.now() - last_ms < FORM_KEPT_MS)
    .map((form) => {
      const isOver = understands(form);
      const isReadSince = read_ms > form.last_ms;
      // An app may post one text in a format that is understood and the next one in another.
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
