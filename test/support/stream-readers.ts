import { handler as followUp } from '../../functions/work/follow-up.ts';
import { handler as relay } from '../../functions/work/relay.ts';

export const readers = [
  { name: 'work/relay', handler: relay },
  { name: 'work/follow-up', handler: followUp },
] as const;
export type Reader = (typeof readers)[number];
