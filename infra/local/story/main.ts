import { DATABASES } from '../database-names.ts';
import { Narrator } from './narrator.ts';
import { startOwnStack } from './own-stack.ts';

/**
 * Entry point of `npm run demo`: shows step by step what the service does, on its own stack. Every call is real. Exits
 * with 0 only if every check passes.
 */
const startedAtMs = Date.now();
const starting = startOwnStack();
let leaving: Promise<never> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(130));

const narrator = new Narrator();
narrator.title('Momo Kiosk: how a shop is paid by mobile money, and texts its customers');
narrator.say('Starting the database, the queues, the workers and a phone on this machine…');
try {
  // Imported late, because the first start is slow and should show progress.
  const [{ Scene }, { tellStory }] = await Promise.all([import('./scene.ts'), import('./chapters.ts')]);
  const stack = await starting;
  narrator.say(
    `Ready on ${stack.facts.base_url}, with ${DATABASES[stack.facts.database]}. Every call is real; nothing leaves this machine.`,
  );
  await tellStory(new Scene(narrator, stack));
  const { checks, failures } = narrator;
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  narrator.title(
    failures === 0
      ? `Everything went as described: ${checks} checks in ${seconds} seconds. Try it yourself: npm start`
      : `${failures} of ${checks} checks failed.`,
  );
  await leave(failures === 0 ? 0 : 1);
} catch (error) {
  // This is not an error after Ctrl-C.
  if (!leaving) narrator.title(`The story was interrupted. ${error instanceof Error ? error.message : error}`);
  await leave(1);
}

function leave(code: number): Promise<never> {
  leaving ??= starting
    .then(
      ({ stop }) => stop(),
      () => {},
    )
    .then(() => process.exit(code));
  return leaving;
}
