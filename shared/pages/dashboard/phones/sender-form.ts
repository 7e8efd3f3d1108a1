import * as z from 'zod/mini';
import { anyNetwork, Network, networks } from '../../../ghana/network.ts';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { DEFAULT_MESSAGES_PER_HOUR, type Sender } from '../../../phones/sender/sender.ts';
import type { Html } from '../html.ts';
import { choice, field } from '../parts/field.ts';
import type { Filled } from '../parts/form.ts';

const MAX_SIM = 8;
const MAX_PER_HOUR = 100_000;

/** Where a number is, and how fast it sends. */
export const PlaceForm = z.object({
  network: z.enum(Network.options, `must be ${anyNetwork()}`),
  /** It is part of the address that the phones post to. */
  gateway: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a lower-case letter, then up to 31 letters, digits or dashes')),
  device: z.string().check(z.regex(/^\S{1,64}$/, 'must be the id that the gateway shows')),
  sim: wholeNumber(MAX_SIM),
  per_hour: z.optional(wholeNumber(MAX_PER_HOUR)),
  use: z.optional(z.enum(['both', 'receive'], 'must be both or receive')),
});
export const NewSenderForm = z.extend(PlaceForm, { number: PhoneNumber });

/** Its fields, filled with what holds now. */
export function placeFields(filled: Filled, sender?: Sender): Html[] {
  return [
    choice(filled, {
      name: 'network',
      label: 'Network',
      value: sender?.network,
      options: Network.options.map((one) => [one, networks[one].short]),
      hint: 'Numbers move between networks: take the one of the SIM, not of its first digits.',
    }),
    field(filled, {
      name: 'gateway',
      label: 'Gateway account',
      value: sender?.gateway,
      isRequired: true,
      hint: 'The name in the secret with the accounts, such as phone.',
    }),
    field(filled, {
      name: 'device',
      label: 'Device id',
      value: sender?.device_id,
      isRequired: true,
      hint: 'As the gateway’s app shows it.',
    }),
    field(filled, {
      name: 'sim',
      label: 'SIM slot',
      value: String(sender?.sim_number ?? 1),
      inputMode: 'numeric',
      isRequired: true,
      hint: '1 is the first.',
    }),
    choice(filled, {
      name: 'use',
      label: 'What for',
      value: sender?.receives_only ? 'receive' : 'both',
      options: [
        ['both', 'Texts leave from it, and it is paid on'],
        ['receive', 'It is only paid on'],
      ],
      hint: 'Payments to a number are believed from the phone that it is placed in, and from no other.',
    }),
    field(filled, {
      name: 'per_hour',
      label: 'Texts an hour',
      value: String(sender?.messages_per_hour ?? DEFAULT_MESSAGES_PER_HOUR),
      inputMode: 'numeric',
      hint: 'Carriers allow 30 to 200; a SIM that sends faster may be blocked.',
    }),
  ];
}

function wholeNumber(most: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/, `must be a whole number from 1 to ${most}`)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(1), z.maximum(most))),
  );
}
