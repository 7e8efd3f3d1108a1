import { type Command, Option } from 'commander';
import { service } from '../../../functions/manifest.ts';
import { dropDeadLetters, listDeadLetters, retryDeadLetters } from '../../../shared/care/dead-letter/dead-letters.ts';
import { sourceNames } from '../../../shared/care/dead-letter/letter-source.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { runAt, verb } from '../command.ts';
import { someText } from '../options.ts';

const QUEUE = new Option('--queue <name>', 'only those of one queue').choices(sourceNames(service));

export function addDeadLettersCommands(program: Command): void {
  const deadLetters = program.command('dead-letters').description('jobs that were given up');

  verb(deadLetters, 'list', 'list the jobs that were given up, with the current state of what they were for', [
    QUEUE,
  ]).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      dead_letters: await listDeadLetters(place, { only: queue, progress }),
    })),
  );

  verb(
    deadLetters,
    'retry',
    'retry them, starting again from the first try; a refunded text is not sent, and what cannot be read is left',
    [QUEUE],
  ).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      queues: await retryDeadLetters(place, { only: queue, progress, by: COMMAND_LINE }),
    })),
  );

  verb(deadLetters, 'drop', 'delete those that no retry can help: letters that cannot be read, changes that are gone', [
    QUEUE,
    new Option('--letter <id>', 'only this one, also if it could be retried').argParser(someText),
    new Option('--yes', 'delete them for good; without this they are only shown'),
  ]).action(
    runAt(async (place, options: { queue?: string; letter?: string; yes?: boolean }, progress) => {
      const { queue: only, letter, yes: isForReal = false } = options;
      const letters = await dropDeadLetters(place, { only, letter, isForReal, progress, by: COMMAND_LINE });
      return {
        [isForReal ? 'dropped' : 'would_be_dropped']: letters,
        ...(!isForReal && { nothing_was_changed: 'Add --yes to delete them.' }),
      };
    }),
  );
}
