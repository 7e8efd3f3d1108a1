import { html } from 'hono/html';
import * as z from 'zod/mini';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { parseJson } from '../../../runtime/values/json.ts';
import type { WebhookEvent } from '../../../webhook/event.ts';
import { textAddress } from '../addresses.ts';
import { chargeLink, heldAddress } from '../charges/addresses.ts';
import type { Html } from '../html.ts';

const Told = z.object({
  data: z.object({
    id: z.optional(z.string()),
    reference: z.nullish(z.string()),
    suggested_reference: z.nullish(z.string()),
  }),
});

/** What an event is about. Its body says it: nothing more is read. Not everybody who sees events may open held payments. */
export function linksOf(
  user: User,
  { type, body }: Pick<WebhookEvent, 'type' | 'body'>,
): readonly (readonly [name: string, link: Html | undefined])[] {
  const { id, reference, suggested_reference } = parseJson(Told, body)?.data ?? {};
  const isHeld = type === 'receipt.held';
  const charge = isHeld ? suggested_reference : type.startsWith('charge.') && reference;
  const payment = isHeld && id;
  const text = type.startsWith('sms.') && id;
  return [
    ['Charge', charge ? chargeLink(charge) : undefined],
    [
      'Payment',
      payment && may(user, 'receipts:assign') ? html`<a href="${heldAddress(payment)}">In Held</a>` : undefined,
    ],
    ['Text', text ? html`<a href="${textAddress(text)}">In Texts</a>` : undefined],
  ];
}
