import type { Outside } from '../runtime/outside/outside.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { listSenders, putSender, setSenderEnabled } from './sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR, type Sender, sameSim } from './sender.ts';

/** Adds a sender, enabled; an existing one moves to the given phone and SIM, and keeps its pace unless a new one is given. */
export async function addSender(
  outside: Pick<Outside, 'table' | 'now'>,
  {
    messages_per_hour,
    ...place
  }: Pick<Sender, 'number' | 'network' | 'gateway' | 'device_id' | 'sim_number'> & {
    messages_per_hour?: number | undefined;
  },
): Promise<Sender> {
  const current = (await listSenders(outside)).find(({ number }) => number === place.number);
  const now = new Date(outside.now()).toISOString();
  const added = {
    ...place,
    messages_per_hour: messages_per_hour ?? current?.messages_per_hour ?? DEFAULT_MESSAGES_PER_HOUR,
    enabled: true,
    full_until_ms: current?.full_until_ms,
    created_at: current?.created_at ?? now,
    in_use_since: now,
  };
  await outside.table.write([putSender(added)]);
  return added;
}

/** @throws NoSuch sender. */
export async function switchSender(
  outside: Pick<Outside, 'table' | 'now'>,
  number: string,
  enabled: boolean,
): Promise<Sender> {
  return (await setSenderEnabled(outside, number, enabled)) ?? noSender(number);
}

/** @throws NoSuch sender. */
export async function requireSender(outside: Pick<Outside, 'table'>, number: string): Promise<void> {
  if (!(await listSenders(outside)).some((sender) => sender.number === number)) noSender(number);
}

/** Another number set to the same SIM: it would be unclear which of the two a receipt that arrives there is for. */
export async function otherInSim(
  outside: Pick<Outside, 'table'>,
  place: Pick<Sender, 'number' | 'gateway' | 'device_id' | 'sim_number'>,
): Promise<Sender | undefined> {
  return (await listSenders(outside)).find((sender) => sender.number !== place.number && sameSim(sender, place));
}

function noSender(number: string): never {
  throw new NoSuch('sender', `There is no sender ${number}.`);
}
