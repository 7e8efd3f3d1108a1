import { readFileSync } from 'node:fs';

/*
 * docs/deploying.md as a newcomer follows it: its commands are read out of the document, so that what is proven is the document itself.
 */

/** The last section: before it, a newcomer's second day. */
export const TAKING_DOWN = 'Taking it down';

export interface Step {
  readonly section: string;
  /** For a shell; several lines where it is a loop. */
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

/** A line each, but for those that go on: after a backslash, and to the end of a loop. */
function commandsOf(block: string): string[] {
  const commands = block.matchAll(/^ *(for .*?^ *done|(?:[^\n]*\\\n)*[^\n]+)$/gms);
  return [...commands].map(([, command = '']) => command.trim()).filter((command) => !command.startsWith('#'));
}

/** Commands that the emulated run leaves out, and why. */
const LEFT_OUT = [
  { command: /^(git clone|cd) |^npm ci\b/, because: 'the project is here, with its packages' },
  { command: /^aws (configure|login|sso)\b/, because: 'the emulator takes the access key that it is given' },
  {
    command: /^aws (dynamodb update-table|dynamodb delete-table|secretsmanager delete-secret)/,
    because: 'of a stage dev, neither table nor secret is left',
  },
];

export function whyLeftOut(command: string): string | undefined {
  return LEFT_OUT.find((one) => one.command.test(command))?.because;
}

/** What a command has to say where the document has it end with a finding. */
const FINDS = [{ command: / gateway connect .*# registers the webhooks/, says: /has no signing key here/ }];

/** Whether a command ended as the document says. */
export function endedWell(command: string, { code, printed }: { code: number; printed: string }): boolean {
  const found = FINDS.find((one) => one.command.test(command));
  return found ? code === 1 && found.says.test(printed) : code === 0;
}

/** What the emulated run changes in a command. The document is written for the stage `prod`. */
const CHANGES: readonly { in: RegExp; what: RegExp; to: string }[] = [
  { in: /./, what: /\bprod\b/g, to: 'dev' },
  // The emulator's CloudFormation has no budgets (test/emulate/gaps.ts).
  { in: /^npm run deploy /, what: / -c monthlyBudget=\S+/, to: '' },
  // A stage dev has no alarms unless they are asked for, and refuses an address that would never be told of any.
  { in: /^npm run deploy .*alarmEmail/, what: /(?<!alarms=on)(?=(\s+#[^\n]*)?$)/, to: ' -c alarms=on' },
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
];

/** The command as it is run. @throws an Error that names what stands for something that is not known. */
export function filledIn(command: string, printed: string): string {
  let filled = command;
  for (const change of CHANGES) if (change.in.test(filled)) filled = filled.replace(change.what, change.to);
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
