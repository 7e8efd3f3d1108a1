import { type Command, Option } from 'commander';
import { runAt, verb } from '../command.ts';
import { listDeadLetters, retryDeadLetters, sourceNames } from '../dead-letters.ts';

const QUEUE = new Option('--queue <name>', 'of one queue only').choices(sourceNames);

export function addDeadLettersCommands(program: Command): void {
  const deadLetters = program.command('dead-letters').description('work that was given up');

  verb(deadLetters, 'list', 'show what was given up, and what has become of it', [QUEUE]).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      dead_letters: await listDeadLetters(place, queue, progress),
    })),
  );

  verb(deadLetters, 'retry', 'have it tried again from the first try on; a text that was refunded is not sent', [
    QUEUE,
  ]).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      queues: await retryDeadLetters(place, queue, progress),
    })),
  );
}
