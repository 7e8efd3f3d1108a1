import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Deployed } from './deployment.ts';

interface Hands extends Pick<Deployed, 'alarms'> {
  print(line: string): void;
  sleep(ms: number): Promise<unknown>;
}

/**
 * Checks the alarms every minute after a deployment that CloudFormation cannot roll back.
 * @returns the exit code: 1 if an alarm is firing.
 */
export async function watchAlarms(
  names: readonly string[],
  minutes: number,
  { alarms, print, sleep }: Hands,
): Promise<number> {
  if (names.length === 0) return 0;
  print(
    `\nEverything is deployed. Watching ${names.length} alarms for ${minutes} minutes. Ctrl-C only stops watching.`,
  );
  const rang = new Set<string>();
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await sleep(MINUTE_MS);
    for (const { name, state } of await alarms(names)) {
      if (state !== 'ALARM' || rang.has(name)) continue;
      rang.add(name);
      print(`The alarm ${name} has fired.`);
    }
  }
  if (rang.size === 0) print('No alarm has fired.');
  else
    print(
      'Deploy a release that fixes the fault. The previous release cannot read the rows of this release (docs/operate/runbooks.md).',
    );
  return rang.size === 0 ? 0 : 1;
}
