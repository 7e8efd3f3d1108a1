import { readFileSync } from 'node:fs';

/**
 * Reads the commands in docs/deploy/deploying.md and in the restore runbook, so that the run tests the documents
 * themselves.
 */

export const REMOVAL = 'Remove a stage';

export interface Step {
  readonly section: string;
  readonly command: string;
}

export function stepsIn(file: string): Step[] {
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m);
  return sections.flatMap((text) => {
    const [section = ''] = text.split('\n', 1);
    const blocks = [...text.matchAll(/^[ \d.]*```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block);
    return blocks.flatMap((block) => commandsOf(block).map((command) => ({ section, command })));
  });
}

function commandsOf(block: string): string[] {
  const commands = block.matchAll(/^ *((?:[^\n]*\\\n)*[^\n]+)$/gm);
  return [...commands].map(([, command = '']) => command.trim()).filter((command) => !command.startsWith('#'));
}

/** The stages in the emulated run, each on an AWS of its own. */
export const stages = ['dev', 'prod'] as const;
export type EmulatedStage = (typeof stages)[number];

/** Commands to skip in one stage or in all, with the reason. */
const LEFT_OUT: readonly { command: RegExp; because: string; of?: EmulatedStage }[] = [
  { command: /^(git clone|cd) |^npm ci\b/, because: 'the project is here, with its packages' },
  { command: /^aws (configure|login|sso)\b/, because: 'the emulator takes the access key that it is given' },
  {
    command: /^aws (dynamodb update-table|dynamodb delete-table|logs delete-log-group)/,
    because: 'of a stage dev, neither table nor logs are left',
    of: 'dev',
  },
];

export function skipReason(command: string, stage: EmulatedStage): string | undefined {
  return LEFT_OUT.find((one) => (one.of ?? stage) === stage && one.command.test(command))?.because;
}

/** The runbook's check after a stage has been restarted. */
export const REFUSED_MEANWHILE = / doctor .*# for an hour it names what was refused/;

/** Findings that must be reported by commands that the document expects to fail. */
const FINDS = [
  { command: / gateway connect .*# registers the webhooks/, output: /has no signing key here/ },
  { command: / doctor .*# says that the stage is stopped/, output: /The stage is stopped/ },
  // Does not allow any other finding.
  { command: REFUSED_MEANWHILE, output: /^[^✗]*✗ Functions were throttled in the last hour[^✗]*$/ },
];

export function endedWell(command: string, { code, printed }: { code: number; printed: string }): boolean {
  const found = FINDS.find((one) => one.command.test(command));
  return found ? code === 1 && found.output.test(printed) : code === 0;
}

/** Changes to commands for the emulated run. The document covers both stages one after the other. */
const CHANGES: readonly { in: RegExp; what: RegExp; to: string; of?: EmulatedStage }[] = [
  ...stages.map((of) => ({ in: /./, what: /(?<![\w/])(dev|prod)\b/g, to: of, of })),
  // The emulator's CloudFormation does not support budgets (test/emulate/gaps.ts).
  { in: /^npm run deploy /, what: / -c monthlyBudget=\S+/, to: '' },
  // The stage dev has no alarms by default, and rejects an address if there are no alarms.
  { in: /^npm run deploy .*alarmEmail/, what: /(?<!alarms=on)(?=(\s+#[^\n]*)?$)/, to: ' -c alarms=on', of: 'dev' },
  // The stage prod has an e-mail address from its first deployment, as its section says.
  { in: /^npm run deploy -- -c stage=\S+$/, what: /$/, to: ' -c alarmEmail=you@example.com', of: 'prod' },
  { in: /^npm run deploy /, what: /(?=(\s+#[^\n]*)?$)/, to: ' --yes' },
];

/** Placeholders and their values, which are either fixed or the last match of an expression in the commands' output. */
const BLANKS: readonly { readonly written: RegExp; readonly printed?: RegExp; readonly value?: string }[] = [
  { written: /\bUSERNAME\b/g, value: 'emulated' },
  { written: /\bDEVICE\b/g, printed: /^(\S+) +Emulated phone /m },
  { written: /\bID\b/g, printed: /^merchant_id: (\S+)$/m },
  { written: /\bsk_live_…/g, printed: /^key: (sk_live_\S+)$/m },
  { written: /\bsk_sms_…/g, printed: /^key: (sk_sms_\S+)$/m },
  { written: /(?<=--base-url )https:\/\/…/g, printed: /ApiUrl = (\S+)/ },
  // Printed by `stage remove` for each kept resource.
  { written: /(?<=--table-name )TABLE\b/g, printed: /^table (\S+),/m },
  { written: /(?<=--log-group-name )LOG\b/g, printed: /^log (\S+)/m },
];

/** Fills in a command's placeholders. @throws an Error naming the placeholder if it is unknown. */
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
  throw new Error(`No value is known for ${left} in: ${command}. Add one to BLANKS in document.ts.`);
}

export function withOptions(command: string, options: string): string {
  return command.replace(/(?=(\s+#[^\n]*)?$)/, ` ${options}`);
}

function blanksLeft(command: string): string[] {
  const words = command.match(/\S*…\S*|(?<=--[a-z-]+ )[A-Z]{2,}\b(?!:)/g) ?? [];
  return words.filter((word) => !/^(MTN|TELECEL|AT)$/.test(word));
}

/** Returns the placeholders that would remain if all known ones were filled in. */
export function unknownBlanks(command: string): string[] {
  return blanksLeft(BLANKS.reduce((text, { written }) => text.replaceAll(written, 'known'), command));
}
