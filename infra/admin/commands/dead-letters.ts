import { service } from '../../../functions/manifest.ts';
import { COMMAND_LINE as by } from '../../../shared/merchants/audit/audit.table.ts';
import {
  dropDeadLetters,
  listDeadLetters,
  retryDeadLetters,
} from '../../../shared/operations/dead-letter/dead-letters.ts';
import { sourceNames } from '../../../shared/operations/dead-letter/letter-source.ts';
import { noun, oneOf, optional, verb } from '../command.ts';
import { someText } from '../options.ts';

const queue = oneOf('<name>', 'only the dead letters from this queue', sourceNames(service));

export const deadLetters = noun('dead-letters', 'failed jobs that are no longer retried', {
  list: verb(
    'list the failed jobs, with the current state of the text, payment or event',
    { queue },
    async (place, { queue: only }, { progress }) => ({
      dead_letters: await listDeadLetters(place, { only, progress }),
    }),
  ),
  retry: verb(
    'retry failed jobs from the first attempt; refunded texts are not sent, and unreadable dead letters stay in the queue',
    { queue },
    async (place, { queue: only }, { progress }) => ({
      queues: await retryDeadLetters(place, { only, progress, by }),
    }),
  ),
  drop: verb(
    'delete dead letters that cannot be retried: unreadable ones, and changes that no longer exist',
    {
      queue,
      letter: optional('<id>', 'delete only this dead letter, even if it could be retried', someText),
      yes: { description: 'delete the dead letters permanently; without this option, they are only listed' },
    },
    async (place, { queue: only, letter, yes: isForReal = false }, { progress }) => {
      const letters = await dropDeadLetters(place, { only, letter, isForReal, progress, by });
      if (isForReal) return { dropped: letters };
      return { would_be_dropped: letters, nothing_was_changed: 'Add --yes to delete them.' };
    },
  ),
});
