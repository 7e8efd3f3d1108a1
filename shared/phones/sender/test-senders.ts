import { COUNTRY_CODE } from '../../ghana/country.ts';
import type { Sender } from './sender.ts';

const SIM = {
  gateway: 'test',
  device_id: 'test',
  messages_per_hour: 100,
  enabled: true,
  created_at: '2026-01-01T00:00:00.000Z',
  in_use_since: '2026-01-01T00:00:00.000Z',
} as const;

/** Simulated senders for test keys. Always available, and not stored in the table. */
export const testSenders = [
  { ...SIM, number: `${COUNTRY_CODE}240000000`, network: 'MTN', sim_number: 1 },
  { ...SIM, number: `${COUNTRY_CODE}200000000`, network: 'TELECEL', sim_number: 2 },
] as const satisfies readonly Sender[];
