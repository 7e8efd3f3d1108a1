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

const queue = oneOf('<name>', 'only those from one queue', sourceNames(service));

export const deadLetters = noun('dead-letters', 'failed jobs that are no longer retried', {
  list: verb(
    'list the failed jobs, with the current state of the text, payment or event',
    { queue },
    async (place, { queue: only }, { progress }) => ({
      dead_letters: await listDeadLetters(place, { only, progress }),
    }),
  ),
  retry: verb(
    'retry them from the first attempt; a refunded text is not sent, and an unreadable letter stays',
    { queue },
    async (place, { queue: only }, { progress }) => ({
      queues: await retryDeadLetters(place, { only, progress, by }),
    }),
  ),
  drop: verb(
    'delete those that cannot be retried: unreadable letters and changes that are gone',
    {
      queue,
      letter: optional('<id>', 'only this one, even if it could be retried', someText),
      yes: { description: 'delete them permanently; otherwise they are only shown' },
    },
    async (place, { queue: only, letter, yes: isForReal = false }, { progress }) => {
      const letters = await dropDeadLetters(place, { only, letter, isForReal, progress, by });
      if (isForReal) return { dropped: letters };
      return { would_be_dropped: letters, nothing_was_changed: 'Add --yes to delete them.' };
    },
  ),
});
