import { readFileSync } from 'node:fs';

/*
 * docs/deploy/deploying.md as a newcomer follows it, and the runbook of a restore: their commands are read out of the documents, so that what is
 * proven is the documents themselves.
 */

/** The last section: before it, a newcomer's second day. */
export const REMOVAL = 'Remove a stage';

export interface Step {
  readonly section: string;
  /** For a shell. */
  readonly command: string;
}

/** The commands of a document's blocks of code, in order. */
export function stepsIn(file: string): Step[] {
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m);
  return sections.flatMap((text) => {
    const [section = ''] = text.split('\n', 1);
    const blocks = [...text.matchAll(/^[ \d.]*```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block);
    return blocks.flatMap((block) => commandsOf(block).map((command) => ({ section, command })));
  });
}

/** A line each, but for those that go on after a backslash. */
function commandsOf(block: string): string[] {
  const commands = block.matchAll(/^ *((?:[^\n]*\\\n)*[^\n]+)$/gm);
  return [...commands].map(([, command = '']) => command.trim()).filter((command) => !command.startsWith('#'));
}

/** What the emulated run goes through, each on an AWS of its own. */
export const stages = ['dev', 'prod'] as const;
export type EmulatedStage = (typeof stages)[number];

/** Commands that the emulated run leaves out, of one stage or of all, and why. */
const LEFT_OUT: readonly { command: RegExp; because: string; of?: EmulatedStage }[] = [
  { command: /^(git clone|cd) |^npm ci\b/, because: 'the project is here, with its packages' },
  { command: /^aws (configure|login|sso)\b/, because: 'the emulator takes the access key that it is given' },
  {
    command: /^aws (dynamodb update-table|dynamodb delete-table|logs delete-log-group)/,
    because: 'of a stage dev, neither table nor logs are left',
    of: 'dev',
  },
];

export function whyLeftOut(command: string, stage: EmulatedStage): string | undefined {
  return LEFT_OUT.find((one) => (one.of ?? stage) === stage && one.command.test(command))?.because;
}

/** The runbook's look at a stage that runs again. */
export const REFUSED_MEANWHILE = / doctor .*# for an hour it names what was refused/;

/** What a command has to say where the document has it end with a finding. */
const FINDS = [
  { command: / gateway connect .*# registers the webhooks/, says: /has no signing key here/ },
  { command: / doctor .*# says that the stage is stopped/, says: /The stage is stopped/ },
  // And nothing else.
  { command: REFUSED_MEANWHILE, says: /^[^✗]*✗ Functions were throttled in the last hour[^✗]*$/ },
];

/** Whether a command ended as the document says. */
export function endedWell(command: string, { code, printed }: { code: number; printed: string }): boolean {
  const found = FINDS.find((one) => one.command.test(command));
  return found ? code === 1 && found.says.test(printed) : code === 0;
}

/** What the emulated run changes in a command. The document is written for both stages, one after the other. */
const CHANGES: readonly { in: RegExp; what: RegExp; to: string; of?: EmulatedStage }[] = [
  ...stages.map((of) => ({ in: /./, what: /(?<![\w/])(dev|prod)\b/g, to: of, of })),
  // The emulator's CloudFormation has no budgets (test/emulate/gaps.ts).
  { in: /^npm run deploy /, what: / -c monthlyBudget=\S+/, to: '' },
  // A stage dev has no alarms unless they are asked for, and refuses an address that would never be told of any.
  { in: /^npm run deploy .*alarmEmail/, what: /(?<!alarms=on)(?=(\s+#[^\n]*)?$)/, to: ' -c alarms=on', of: 'dev' },
  // A stage prod has an e-mail address from its first deployment on, as its section says.
  { in: /^npm run deploy -- -c stage=\S+$/, what: /$/, to: ' -c alarmEmail=you@example.com', of: 'prod' },
  // Nobody is there to answer.
  { in: /^npm run deploy /, what: /(?=(\s+#[^\n]*)?$)/, to: ' --yes' },
];

/** What a newcomer writes in place of these words, once it is known: the last that an expression found in what commands printed. */
const BLANKS: readonly { readonly written: RegExp; readonly printed?: RegExp; readonly value?: string }[] = [
  { written: /\bUSERNAME\b/g, value: 'emulated' },
  { written: /\bDEVICE\b/g, printed: /^(\S+) +Emulated phone /m },
  { written: /\bID\b/g, printed: /^merchant_id: (\S+)$/m },
  { written: /\bsk_live_…/g, printed: /^key: (sk_live_\S+)$/m },
  { written: /\bsk_sms_…/g, printed: /^key: (sk_sms_\S+)$/m },
  { written: /(?<=--base-url )https:\/\/…/g, printed: /ApiUrl = (\S+)/ },
  // As `stage remove` names what it keeps.
  { written: /(?<=--table-name )TABLE\b/g, printed: /^table (\S+),/m },
  { written: /(?<=--log-group-name )LOG\b/g, printed: /^log (\S+)/m },
];

/** The command as it is run. @throws an Error that names what stands for something that is not known. */
export function filledIn(command: string, printed: string, stage: EmulatedStage): string {
  let filled = command;
  for (const change of CHANGES)
    if ((change.of ?? stage) === stage && change.in.test(filled)) filled = filled.replace(change.what, change.to);
  for (const { written, printed: where, value } of BLANKS) {
    const found = value ?? where?.exec(printed)?.[1];
    if (found !== undefined) filled = filled.replaceAll(written, found);
  }
  const [left] = blanksLeft(filled);
  if (left === undefined) return filled;
  throw new Error(`Nobody knows what to write for ${left} in: ${command}`);
}

/** The command with more options, before what the document notes behind it. */
export function withOptions(command: string, options: string): string {
  return command.replace(/(?=(\s+#[^\n]*)?$)/, ` ${options}`);
}

/** What of a command still stands for something else: `…`, or a word in capitals as an option's value. */
function blanksLeft(command: string): string[] {
  const words = command.match(/\S*…\S*|(?<=--[a-z-]+ )[A-Z]{2,}\b(?!:)/g) ?? [];
  return words.filter((word) => !/^(MTN|TELECEL|AT)$/.test(word));
}

/** What would be left of a command if each blank had been filled in. */
export function unknownBlanks(command: string): string[] {
  return blanksLeft(BLANKS.reduce((text, { written }) => text.replaceAll(written, 'known'), command));
}
