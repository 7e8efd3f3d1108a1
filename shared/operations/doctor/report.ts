import { listMerchantsAfter } from '../../merchants/merchant/merchant.table.ts';
import { getCharges } from '../../money/charge/charge.table.ts';
import { listReceipts } from '../../money/receipt/receipt.table.ts';
import { type Receipt, receiptLists } from '../../money/receipt/receipt.ts';
import { shapeOfText } from '../../money/receipt/sample-of-text.ts';
import { listSenders } from '../../phones/sender/sender.table.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { Deployment } from '../../runtime/stage/deployment.ts';
import { provesSinceMs } from '../../wallets/chain/anchor.ts';
import { chainRows } from '../../wallets/chain/chain.table.ts';
import type { CheckName, Finding } from './finding.ts';

/** Maximum number of merchants. `MAX_TEXTS`: maximum number of texts in each of a merchant's lists. */
const MAX_MERCHANTS = 200;
const MAX_TEXTS = 200;
const MAX_SHAPES = 60;

type Counts = Readonly<Record<string, number>>;

/** Anonymous counts and times from a stage's first days. */
export interface StageReport {
  readonly day: string;
  readonly versions: { readonly command_line: string; readonly stage: string; readonly node: string };
  readonly runs_on: 'AWS' | 'local stack';
  readonly settings: {
    readonly merchants: number;
    readonly wallets: Counts;
    readonly named_balances: Counts;
    readonly senders: number;
    readonly verifying_wallets: number;
    readonly alarms: number;
  };
  readonly texts: Counts;
  readonly shapes: readonly { readonly of: string; readonly shape: string; readonly count: number }[];
  readonly seconds_from_text_to_green: Readonly<
    Record<'payments' | 'median' | 'slowest_twentieth' | 'slowest', number>
  >;
  readonly held: Counts;
  readonly checks: Readonly<Record<string, Counts>>;
  readonly not_yet_tested_on_aws: readonly { readonly what: string; readonly shown_here: boolean }[];
}

export async function reportOf(
  deployment: Deployment,
  findings: readonly (Finding & { readonly check: CheckName })[],
): Promise<StageReport> {
  const { outside, aws } = deployment;
  const { merchants } = await listMerchantsAfter(outside, undefined, MAX_MERCHANTS);
  const [receipts, senders, chains, stack] = await Promise.all([
    listTexts(
      outside,
      merchants.map(({ merchant_id }) => merchant_id),
    ),
    listSenders(outside),
    chainRows.list(outside, {}),
    aws?.stack(),
  ]);
  const topic = stack?.outputs.AlarmTopicArn;
  const alarms = topic ? ((await aws?.alarms(topic)) ?? []) : [];
  const host = aws ? new URL(await deployment.baseUrl()).hostname : '';
  const matched = receipts.filter(({ state }) => state === 'matched');
  return {
    day: isoOf(outside.now()).slice(0, 10),
    versions: {
      command_line: versionWord(deployment.release),
      stage: versionWord(aws ? (stack?.outputs.Release ?? 'unknown') : deployment.release),
      node: process.version,
    },
    runs_on: aws ? 'AWS' : 'local stack',
    settings: {
      merchants: merchants.length,
      wallets: tally(merchants.flatMap(({ momo_accounts }) => momo_accounts.map(({ network }) => network))),
      named_balances: tally(chains.map(({ network }) => network)),
      senders: senders.length,
      verifying_wallets: chains.filter((chain) => provesSinceMs(chain) !== undefined).length,
      alarms: alarms.length,
    },
    texts: tally(receipts.map(kindOf)),
    shapes: shapesOf(receipts),
    seconds_from_text_to_green: await timesOf(deployment, matched),
    held: tally(receipts.filter(({ state }) => state === 'held').map(reasonOf)),
    checks: Object.fromEntries(
      [...Map.groupBy(findings, ({ check }) => check)].map(([check, some]) => [
        check,
        tally(some.map((one) => one.state)),
      ]),
    ),
    not_yet_tested_on_aws: untested({
      status: stack?.status ?? '',
      hasOwnHost: host !== '' && !host.endsWith('.amazonaws.com'),
      hasPayments: aws !== undefined && matched.length > 0,
      keysAreLimited: stack?.outputs.LeadingKeys !== 'off',
      rings: alarms.some(({ state }) => state === 'ALARM'),
    }),
  };
}

/** Returns a version such as `1.2.3-01234567`. Masks other text, which could contain personal data. */
function versionWord(version: string): string {
  return /^\d{1,3}(\.\d{1,3}){2}(-[0-9a-f]{8})?$/.test(version) ? version : 'X';
}

async function listTexts(outside: Deployment['outside'], merchantIds: readonly string[]): Promise<Receipt[]> {
  const texts: Receipt[] = [];
  for (const merchantId of [undefined, ...merchantIds])
    for (const list of receiptLists) {
      const { receipts } = await listReceipts(outside, merchantId, list, { limit: MAX_TEXTS, newestFirst: true });
      texts.push(...receipts);
    }
  return texts;
}

function tally(words: readonly string[]): Counts {
  return Object.fromEntries(
    [...Map.groupBy(words, (word) => word)]
      .map(([word, same]) => [word, same.length] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function kindOf({ network, state, proof }: Receipt): string {
  return `${network ?? 'unknown network'} ${state} ${proof?.state ?? 'without proof'}`;
}

function reasonOf({ reason, proof }: Receipt): string {
  return `${reason ?? 'no reason'} ${proof?.why ?? proof?.state ?? 'without proof'}`;
}

function shapesOf(receipts: readonly Receipt[]): StageReport['shapes'] {
  const shapes = receipts.flatMap((receipt) => {
    const { text, payer_name, payer_phone, said_phone, payer_reference, transaction_id } = receipt;
    const secrets = [payer_name, payer_phone, said_phone, payer_reference, transaction_id];
    return text === undefined ? [] : [JSON.stringify([kindOf(receipt), shapeOfText(text, secrets)])];
  });
  return Object.entries(tally(shapes))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_SHAPES)
    .map(([written, count]) => {
      const [of, shape]: [string, string] = JSON.parse(written);
      return { of, shape, count };
    });
}

/** Returns the seconds from each text's arrival to its payment's assignment. Excludes manual assignments. */
async function timesOf(
  { outside }: Deployment,
  matched: readonly Receipt[],
): Promise<StageReport['seconds_from_text_to_green']> {
  const own = matched.filter(({ matched_by }) => matched_by === 'reference' || matched_by === 'name');
  const charges = await getCharges(outside, [...new Set(own.flatMap(({ reference }) => reference ?? []))]);
  const paidAt = new Map(charges.map(({ reference, paid_at }) => [reference, paid_at]));
  const seconds = own
    .flatMap(({ reference = '', received_at }) => {
      const at = paidAt.get(reference);
      return at === undefined ? [] : [Math.round((Date.parse(at) - Date.parse(received_at)) / 1000)];
    })
    .toSorted((one, other) => one - other);
  const at = (share: number) => seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0;
  return { payments: seconds.length, median: at(0.5), slowest_twentieth: at(0.95), slowest: at(1) };
}

interface Shown {
  readonly status: string;
  readonly hasOwnHost: boolean;
  readonly hasPayments: boolean;
  readonly keysAreLimited: boolean;
  readonly rings: boolean;
}

/** Returns the README's list of features not yet tested on AWS. `shown_here` marks those that worked on this stage. */
function untested({ status, hasOwnHost, hasPayments, keysAreLimited, rings }: Shown) {
  const isShown = {
    'deploy the stacks': /^(CREATE|UPDATE)_COMPLETE/.test(status),
    'update the stacks': status.startsWith('UPDATE_COMPLETE'),
    'roll back the stacks': status === 'UPDATE_ROLLBACK_COMPLETE',
    'serve a custom domain': hasOwnHost && hasPayments,
    'decide on partition keys (IAM)': keysAreLimited && hasPayments,
    'trigger the functions': hasPayments,
    'throttle the functions': false,
    'limit requests': false,
    'fire an alarm': rings,
    'send the e-mail of an alarm': false,
    'send the bill': false,
  };
  return Object.entries(isShown).map(([what, shown_here]) => ({ what, shown_here }));
}

/** Formats the stage report for a bug report: tables, then JSON. */
export function presentReport(report: StageReport): string {
  const list = (counts: Readonly<Record<string, string | number>>) =>
    Object.entries(counts)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n') || '- none';
  const { versions, settings, texts, shapes, seconds_from_text_to_green: times, held, checks } = report;
  const { wallets, named_balances, ...counts } = settings;
  const section = (heading: string, body: string) => `## ${heading}\n\n${body}`;
  const checked = Object.entries(checks).map(
    ([name, states]) =>
      `- ${name}: ${Object.entries(states)
        .map(([state, count]) => `${count} ${state}`)
        .join(', ')}`,
  );
  return [
    `# Stage report of ${report.day}, ${report.runs_on}`,
    'It contains counts and times only. Names, numbers, keys and texts are left out.',
    section('Versions', list(versions)),
    section(
      'Settings',
      `${list(counts)}\n\nWallets:\n\n${list(wallets)}\n\nWallets whose balance was named:\n\n${list(named_balances)}`,
    ),
    section('Texts', list(texts)),
    section(
      'Shapes of texts',
      shapes.map(({ of, shape, count }) => `- ${count} × ${of}: \`${shape}\``).join('\n') || '- none',
    ),
    section('Seconds from a text’s arrival to the assignment of its payment', list(times)),
    section('Held payments', list(held)),
    section('Checks', checked.join('\n') || '- none'),
    section(
      'Not yet tested on AWS',
      report.not_yet_tested_on_aws.map(({ what, shown_here }) => `- [${shown_here ? 'x' : ' '}] ${what}`).join('\n'),
    ),
    section('The same as JSON', `\`\`\`json\n${JSON.stringify(report, null, 2)}\n\`\`\``),
  ].join('\n\n');
}
