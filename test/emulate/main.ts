import { appendFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from '../support/server.ts';
import {
  type EmulatedStage,
  endedWell,
  filledIn,
  REFUSED_MEANWHILE,
  REMOVAL,
  type Step,
  skipReason,
  stages,
  stepsIn,
  withOptions,
} from './document.ts';
import { failingJourneys, type Gap, gaps } from './gaps.ts';
import { RECEIVER } from './internet.ts';
import { type Machine, startMachine } from './machine.ts';

/**
 * Entry point of `npm run prove -- emulate`: a newcomer's first hour with docs/deploy/deploying.md on a local AWS
 * (MiniStack), first with the `dev` stage and then, on another local AWS, with `prod` (`-- prod` runs only the second).
 * Runs every command in the document as written, then changes the stage, restores it if it keeps its data, and removes
 * it. Exits with 1 if a command fails or a gap in the emulator has closed. Leaves nothing running, even after Ctrl-C.
 */
const DOCUMENT = 'docs/deploy/deploying.md';
const RESTORE = { document: 'docs/operate/runbooks.md', section: 'Restore to a point in time' };
const chosen = stages.filter((one) => process.argv.length < 3 || process.argv.includes(one));
const folder = resolve(process.env.LOCAL_DIR || '.local', 'emulate');
const log = join(folder, 'commands.log');
const startedAt = Date.now();

let machine: Machine | undefined;
let stage: EmulatedStage;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    faults.push('Interrupted');
    void machine?.stop();
  });

/** All output so far, newest first. Values for the document's ID and DEVICE are found in it. */
let printed: string;
let exports: string;
let deployment: string;
let signedIn: boolean;
const faults: string[] = [];
try {
  rmSync(log, { force: true });
  for (stage of chosen) {
    [printed, exports, deployment, signedIn] = ['', '', '', false];
    machine = await timed(`${stage}: a machine with an AWS of its own`, () => startMachine(folder));
    if (faults.length === 0) await follow(machine);
    await stopped();
  }
} catch (error) {
  faults.push(error instanceof Error ? error.message : String(error));
} finally {
  await stopped();
}
for (const fault of faults) console.error(`\n✗ ${fault}`);
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  faults.length === 0
    ? `\nThe document holds on the emulator: ${seconds} seconds, ${gaps.length + failingJourneys.length} gaps of its own. Each command and its answer: ${log}`
    : `\nFailed after ${seconds} seconds. What the commands printed is in ${log}, the emulator's own words in ${folder}/ministack.log.`,
);
process.exit(faults.length === 0 ? 0 : 1);

/** Follows the document from the first command to the last, including a newcomer's second day before the end. */
async function follow(on: Machine): Promise<void> {
  const steps = stepsIn(DOCUMENT);
  const takingDown = steps.findIndex(({ section }) => section === REMOVAL);
  if (takingDown < 0) throw new Error(`${DOCUMENT} has no section "${REMOVAL}"`);
  for (const [n, step] of steps.entries()) {
    if (n === takingDown) {
      await theNextDay(on);
      await changeRows(on);
      // The other stage keeps no data and rejects a replacement table.
      if (stage === 'prod') await restore(on);
    }
    await take(on, step);
  }
  const left = await whatIsLeft(on);
  if (left.length > 0) faults.push(`Something of the stage is left: ${left.join(', ')}`);
}

async function whatIsLeft(on: Machine): Promise<string[]> {
  const { printed: found } = await run(
    on,
    'aws dynamodb list-tables; aws lambda list-functions; aws cloudformation describe-stacks; aws secretsmanager list-secrets; aws logs describe-log-groups',
  );
  return [...new Set(found.match(/(?<=")[^"]*momo-kiosk-(dev|prod)[^"]*(?=")/g) ?? [])].toSorted();
}

/** Runs a command from the document. Its exports also apply to later commands. */
async function take(on: Machine, { command }: Step): Promise<void> {
  const because = skipReason(command, stage);
  if (because) {
    console.log(`-          ${firstLine(command)} (left out: ${because})`);
    return;
  }
  const line = filledIn(command, printed, stage);
  if (line.startsWith('export ')) {
    exports += `${line}\n`;
    return;
  }
  if (/^npm run prove -- journeys --stage /.test(line)) await tellAsOperator(on, line);
  else if (/^npm run prove -- journeys .*--pay/.test(line)) await tellAsMerchant(on, line);
  else if (/^npm run deploy /.test(line)) await deploy(on, line);
  else if (/ user invite /.test(line)) await signIn(on, line);
  else if (/ stage stop /.test(line)) await stopStage(on, line);
  else if (/ stage start /.test(line)) await startStage(on, line);
  else if (/ stage remove /.test(line)) await removeStage(on, line);
  else if (/ delete-log-group /.test(line))
    for (const log of logsLeft()) await must(on, line.replace(/\S+$/, log), line);
  else await must(on, line, line);
}

/** Follows the runbook, replacing its ellipsis with the stage's deployment arguments. */
async function restore(on: Machine): Promise<void> {
  const rest = [...deployment.matchAll(/-c (?!stage=|leadingKeys=)\S+/g)].join(' ');
  const steps = stepsIn(RESTORE.document).filter(({ section }) => section === RESTORE.section);
  if (steps.length < 10) throw new Error(`${RESTORE.document} says nothing of "${RESTORE.section}"`);
  for (const { section, command } of steps) await take(on, { section, command: command.replace(' … ', ` ${rest} `) });
  const { printed: kept } = await run(on, 'npm run --silent admin -- merchant list --stage prod');
  if (!kept.includes('Ama Stores')) faults.push(`After the restore, the merchant is gone: ${excerpt(kept)}`);
}

/** Simulates an earlier attempt that was interrupted, and then checks that no charge can be opened. */
async function stopStage(on: Machine, line: string): Promise<void> {
  const alone = line.replace('npm run --silent admin --', 'node infra/admin/main.ts').replace(/#.*/, '');
  await run(on, `${alone} & sleep 4; kill $!; wait`);
  await must(on, line, line);
  const { printed: answer } = await openCharge(on);
  if (!/^(429|5\d\d) /.test(answer)) faults.push(`A stage that is stopped answered: ${excerpt(answer)}`);
}

/** Waits a few minutes, as the runbook says, until housekeeping has run and the phones have pinged. */
async function startStage(on: Machine, line: string): Promise<void> {
  await must(on, line, line);
  const untilMs = Date.now() + 6 * 60_000;
  const doctor = stepsIn(RESTORE.document).find(({ command }) => REFUSED_MEANWHILE.test(command))?.command;
  if (!doctor) throw new Error(`${RESTORE.document} does not look at a stage that runs again`);
  while (Date.now() < untilMs && !endedWell(doctor, await run(on, doctor))) await sleep(20_000);
}

/**
 * Checks that removing the stage requires its name, and is refused while `prod` has an open charge. The next deployment
 * adopts the kept resources.
 */
async function removeStage(on: Machine, line: string): Promise<void> {
  const asked = (typed: string) => `echo ${typed} | ${line}`;
  if (stage === 'prod') {
    const cancelled = `node test/emulate/charge.ts ${apiUrl()} cancel`;
    await must(on, cancelled, 'what journeys left open is cancelled');
    await openCharge(on);
    const refused = await run(on, asked(stage));
    if (refused.code === 0 || !/has 1 open charge/.test(refused.printed))
      faults.push(`With an open charge, the stage was not refused to be removed: ${excerpt(refused.printed)}`);
    await must(on, cancelled, 'the open charge is cancelled');
  }
  const other = await run(on, asked('yes'));
  if (other.code === 0 || !/not the name of the stage/.test(other.printed))
    faults.push(`The stage was removed without its name: ${excerpt(other.printed)}`);
  await must(on, asked(stage), line);
  if (stage === 'dev') return;
  const kept = await whatIsLeft(on);
  if (kept.some((name) => !/table\/|^momo-kiosk-prod\.|log-group:|^\/aws\//.test(name)) || kept.length < 5)
    faults.push(`Kept were ${kept.join(', ')}`);
  await must(on, deployment, 'npm run deploy …, again');
  const { printed: again } = await run(on, 'npm run --silent admin -- merchant list --stage prod');
  if (!again.includes('Ama Stores')) faults.push(`The stage was deployed again without its data: ${excerpt(again)}`);
  await must(on, asked(stage), line);
}

function openCharge(on: Machine) {
  return run(on, `node test/emulate/charge.ts ${apiUrl()}`);
}

function apiUrl(): string {
  return /ApiUrl = (\S+)/.exec(printed)?.[1] ?? '';
}

function logsLeft(): string[] {
  return [...new Set([...printed.matchAll(/^log (\S+)/gm)].map(([, log = '']) => log))];
}

async function signIn(on: Machine, line: string): Promise<void> {
  const { printed: invited } = await must(on, line, line);
  const [link = ''] = /https:\S+/.exec(invited) ?? [];
  signedIn = true;
  await must(on, `node test/emulate/sign-in.ts '${link}'`, 'the link is opened, a passkey made, and used to sign in');
}

/** Deploys. After the first deployment, probes the gaps in the emulator and works around them for later steps. */
async function deploy(on: Machine, line: string): Promise<void> {
  const hasStack = deployment !== '';
  deployment = withOptions(line, '-c leadingKeys=off');
  if (hasStack) return void (await must(on, deployment, deployment));
  await must(on, line, line);
  for (const gap of gaps) if (gap.when === 'deployed') await probe(on, gap);
  // Follows the document's advice for an account that does not supply the leading keys.
  await must(on, deployment, 'npm run deploy … -c leadingKeys=off');
  await must(on, 'node test/emulate/workarounds.ts', 'what the emulator’s IAM asks for otherwise');
  const { printed: findings } = await run(on, `npm run --silent admin -- doctor --json --stage ${stage}`);
  for (const [, advice = ''] of findings.matchAll(/"todo":"(aws [^"]+)"/g))
    await must(on, advice, `as doctor says: ${advice}`);
}

async function probe(on: Machine, { name, probe: command, shows, workaround }: Gap): Promise<void> {
  const { printed: answer } = await run(on, `API=${apiUrl()}; ${command}`);
  note(command, answer);
  if (shows.test(answer)) console.log(`  gap      ${name}`);
  else
    faults.push(
      `The gap "${name}" is closed or looks different. Remove its workaround (${workaround}) from test/emulate/gaps.ts, or correct the probe. It printed: ${excerpt(answer)}`,
    );
}

async function tellAsOperator(on: Machine, line: string): Promise<void> {
  const told = await tell(
    on,
    withOptions(line, `--receiver ${RECEIVER}`),
    'npm run prove -- journeys, as the operator',
  );
  // Journeys with a real gateway server run separately.
  for (const [, name] of told.matchAll(
    /^- (.*) \(skipped: (?!needs a number that merchants share|needs --smsgate URL\))/gm,
  ))
    faults.push(`A journey was not told: ${name}`);
  if (!/are removed\.$/m.test(told)) faults.push(`The journeys did not end well: ${excerpt(told)}`);
  for (const gap of gaps) if (gap.when === 'told') await probe(on, gap);
}

async function tellAsMerchant(on: Machine, line: string): Promise<void> {
  let asked = '';
  const told = await tell(on, line, 'npm run prove -- journeys, with a merchant’s keys', (text) => {
    asked += text;
    const [found, reference] = /Pay GHS 1\.00 to .* with the reference (\S+) now/.exec(asked) ?? [];
    if (!found) return;
    asked = '';
    const paid = { reference, name: 'Kofi Mensah', amount: 1, simNumber: 1 };
    postJson(`${on.phoneUrl}/pay`, paid).catch((error) => faults.push(`No payment: ${error}`));
  });
  if (!told.includes('✓ a charge is paid and its page shows the payment'))
    faults.push(`Nothing was paid: ${excerpt(told)}`);
}

/** Runs journeys and returns the output. Some of them fail because of the emulator. */
async function tell(on: Machine, line: string, name: string, heard?: (text: string) => void): Promise<string> {
  const { printed: told } = await timed(name, () => run(on, line, heard));
  note(line, told);
  const stories = told.split(/^(?=[✓✗] )/m).slice(1);
  const failed = new Map(
    stories.filter((text) => text.startsWith('✗')).map((text) => [firstLine(text.slice(2)), text]),
  );
  for (const [story, text] of failed)
    if (!failingJourneys.some((one) => one.name === story && one.output.test(text)))
      faults.push(`A journey ${excerpt(text)}`);
  for (const { name: story, seen } of failingJourneys) {
    if (failed.has(story)) console.log(`  gap      ${seen}`);
    else faults.push(`The journey "${story}" does not fail any more (${seen}): remove it from test/emulate/gaps.ts`);
  }
  console.log(
    `           ${stories.length - failed.size} journeys went well, ${failed.size} did not, as the gaps above say`,
  );
  return told;
}

async function theNextDay(on: Machine): Promise<void> {
  if (!signedIn) faults.push(`${DOCUMENT} ends without anybody signed in: it has no command user invite`);
  const forgotten = await run(on, deployment.replace(' -c leadingKeys=off', ''));
  if (forgotten.code === 0 || !/add -c leadingKeys=off/.test(forgotten.printed))
    faults.push('A deployment that forgets leadingKeys=off was not refused');
  await must(on, withOptions(deployment, '-c retentionDays=90'), 'npm run deploy … -c retentionDays=90');
  const { printed: days } = await run(
    on,
    `aws lambda get-function-configuration --function-name momo-kiosk-${stage}-transaction-initialize --query Environment.Variables.RETENTION_DAYS`,
  );
  if (days.trim() !== '"90"') faults.push(`After the update, charges are kept for ${days.trim()} days, not 90`);
  await must(on, `npm run --silent admin -- doctor --stage ${stage}`, 'doctor, after the update');
  const { printed: kept } = await run(on, `npm run --silent admin -- merchant list --stage ${stage}`);
  if (!kept.includes('Ama Stores')) faults.push(`After the update, the merchant is gone: ${excerpt(kept)}`);
}

async function changeRows(on: Machine): Promise<void> {
  const command = `node test/emulate/changed-rows.ts '${folder}' ${apiUrl()} ${on.phoneUrl}`;
  await must(on, command, 'functions of two releases, of which one changes rows');
}

async function must(on: Machine, command: string, name: string) {
  const ended = await timed(name, () => run(on, command));
  note(command, ended.printed);
  if (endedWell(command, ended)) return ended;
  throw new Error(`${name} ended with ${ended.code}: ${excerpt(ended.printed)}`);
}

function run(on: Machine, command: string, heard?: (text: string) => void) {
  return on.run(`${exports}${command}`, heard);
}

function note(command: string, text: string): void {
  printed = `${text}\n${printed}`;
  appendFileSync(log, `$ ${command}\n${text}\n`);
}

async function timed<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  try {
    return await act();
  } finally {
    console.log(`${((performance.now() - from) / 1000).toFixed(1).padStart(8)} s ${firstLine(name)}`);
  }
}

async function stopped(): Promise<void> {
  await machine?.stop();
  machine = undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function excerpt(text: string): string {
  return text.trim().slice(-1500);
}
