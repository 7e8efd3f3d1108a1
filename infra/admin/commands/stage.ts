import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { noun, verb } from '../command.ts';
import { removeStage } from '../remove-stage.ts';
import { startStage, stopStage } from '../stop-stage.ts';

export const stages = noun('stage', 'a deployed stage as a whole', {
  stop: verb(
    'stop every function that customers, merchants, phones or a schedule call; workers finish accepted jobs. If interrupted, run the command again',
    {},
    async (place, _options, { progress }) => ({
      stopped: await stopStage(place, progress),
      next: 'doctor shows which jobs are still waiting. Restart the stage with: stage start',
    }),
  ),
  start: verb('start everything that stage stop has stopped', {}, async (place, _options, { progress }) => ({
    started: await startStage(place, progress),
  })),
  remove: verb(
    'remove the stage except for its table, backups and logs, after asking for its name. If interrupted, run the command again',
    {},
    async (place, _options, { progress }) => removeStage(place, { ask: askForName, progress }),
  ),
});

/**
 * Asks for the stage's name instead of taking an option, so that a command from the shell history cannot remove a
 * stage.
 */
async function askForName(message: string): Promise<string> {
  console.error(message);
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Type the name of the stage to remove it: ')).trim();
  } finally {
    terminal.close();
  }
}
