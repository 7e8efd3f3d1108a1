import * as z from 'zod/mini';
import { wholeNumber } from '../../ghana/typed.ts';

const MAX_SIM = 8;
const MAX_PER_HOUR = 100_000;

export const GatewayName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a lower-case letter, then up to 31 letters, digits or dashes'));

export const senderFields = {
  gateway: GatewayName,
  device: z.string().check(z.regex(/^\S{1,64}$/, 'must be the device id shown by the gateway')),
  sim: wholeNumber(1, MAX_SIM),
  per_hour: wholeNumber(1, MAX_PER_HOUR),
};
