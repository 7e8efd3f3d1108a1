import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { noun, verb } from '../command.ts';
import { removeStage } from '../remove-stage.ts';
import { startStage, stopStage } from '../stop-stage.ts';

export const stages = noun('stage', 'a deployed stage as a whole', {
  stop: verb(
    'stop whatever customers, merchants, phones and the clock call; workers finish what was accepted. Interrupted, it goes on when it is run again',
    {},
    async (place, _options, { progress }) => ({
      stopped: await stopStage(place, progress),
      next: 'doctor shows which jobs still wait. To let the stage run again: stage start',
    }),
  ),
  start: verb('let what was stopped run as before', {}, async (place, _options, { progress }) => ({
    started: await startStage(place, progress),
  })),
  remove: verb(
    'take the stage down, but for its table, backups and logs; asks for its name. Interrupted, it goes on when it is run again',
    {},
    async (place, _options, { progress }) => removeStage(place, { ask: askForName, progress }),
  ),
});

/** A line that is typed, or what is piped in. No option stands for it: a command of yesterday, repeated, must remove nothing. */
async function askForName(says: string): Promise<string> {
  console.error(says);
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Type the name of the stage to remove it: ')).trim();
  } finally {
    terminal.close();
  }
}
