import { type Command, Option } from 'commander';
import { runAt, verb } from '../command.ts';
import { listDeadLetters, retryDeadLetters, sourceNames } from '../dead-letters.ts';

const QUEUE = new Option('--queue <name>', 'only those of one queue').choices(sourceNames);

export function addDeadLettersCommands(program: Command): void {
  const deadLetters = program.command('dead-letters').description('jobs that were given up');

  verb(deadLetters, 'list', 'list the jobs that were given up, with the current state of what they were for', [
    QUEUE,
  ]).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      dead_letters: await listDeadLetters(place, queue, progress),
    })),
  );

  verb(deadLetters, 'retry', 'retry them, starting again from the first try; a refunded text is not sent', [
    QUEUE,
  ]).action(
    runAt(async (place, { queue }: { queue?: string }, progress) => ({
      queues: await retryDeadLetters(place, queue, progress),
    })),
  );
}
