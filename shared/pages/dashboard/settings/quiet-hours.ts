import { html } from 'hono/html';
import * as z from 'zod/mini';
import { isQuietHours, NIGHT } from '../../../ghana/quiet-hours.ts';
import { typed } from '../../../ghana/typed.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeShop, settingPage } from '../parts/change-shop.ts';
import { field } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/quiet-hours';
export const QUIET_HOURS = `${SETTINGS}${PATH}`;

const TimeOfDay = typed('must be a time of the day, such as 21:00', (written, refuse) =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(written) ? written : refuse(),
);

/** Either both times are set, or neither is. Browsers omit empty fields. */
export const QuietHoursForm = z.object({ quiet_from: z.optional(TimeOfDay), quiet_to: z.optional(TimeOfDay) });

export async function showQuietHours(visit: MerchantVisit): Promise<Shown> {
  const { quiet_hours } = visit.merchant;
  const [from, to] = quiet_hours?.split('-') ?? [];
  const now = [
    html`<p>${inWords(quiet_hours)}</p>`,
    html`<p class="hint">Codes, receipts and replies are sent at any hour. Offers are never sent from ${NIGHT.replace('-', ' to ')}, whatever you set here.</p>`,
  ];
  return settingPage(visit, { title: 'Quiet hours', now, path: PATH }, [
    field('quiet_from', 'No texts from', { type: 'time', value: from }),
    field('quiet_to', 'Until', {
      type: 'time',
      value: to,
      hint: 'Ghana time. Texts due in these hours wait until the end time, unless you choose otherwise. Leave both empty to send at any time.',
    }),
  ]);
}

function inWords(quietHours: string | undefined): string {
  return quietHours
    ? `No texts will be sent from ${quietHours.replace('-', ' to ')}.`
    : 'Texts will be sent at any hour.';
}

export function setQuietHours(visit: MerchantVisit<never, typeof QuietHoursForm>, outside: Outside): Promise<Going> {
  const { quiet_from: from, quiet_to: to } = visit.form;
  const hours = from === undefined && to === undefined ? '' : `${from}-${to}`;
  if (hours !== '' && !isQuietHours(hours)) {
    const message = from === to ? 'must differ from the start time' : 'must be set if the other time is set';
    throw invalidRequest([{ field: to === undefined || from === to ? 'quiet_to' : 'quiet_from', message }]);
  }
  return changeShop(visit, outside, { quiet_hours: hours }, { goTo: QUIET_HOURS, notice: inWords(hours) });
}
