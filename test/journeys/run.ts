import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withProgress } from '../../infra/admin/command.ts';
import { connect } from '../../infra/admin/deployment.ts';
import { phoneNumber } from '../../infra/admin/options.ts';
import type { NewCharge } from '../../infra/local/story/steps.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { joinStack, phoneInHand } from './joined-stack.ts';
import { runLoad } from './load.ts';
import { phoneStories } from './phone-stories.ts';
import { openStage } from './stage.ts';
import { stageStories } from './stage-stories.ts';
import { stories } from './stories.ts';
import { type Kiosk, lackedBy, type Story } from './story.ts';

/**
 * `npm run prove -- journeys` runs the journeys against a service. As the operator, it runs all of them with a
 * temporary merchant. With a merchant's keys, it runs only the journeys over HTTP.
 */
const options = new Command('journeys')
  .description(
    'Runs end-to-end tests against a deployed service, as a merchant would use it. First lists what the tests will do there.',
  )
  .addOption(
    new Option(
      '--stage <name>',
      'run every journey as the operator of this stage, with your AWS credentials and a temporary merchant; without this and --base-url, on the local stack',
    ),
  )
  .addOption(
    new Option(
      '--base-url <url>',
      'the address of a service, to run only the journeys over HTTP, with a merchant’s keys',
    )
      .env('MOMO_BASE_URL')
      .argParser(address)
      .conflicts('stage'),
  )
  .addOption(
    new Option(
      '--smsgate <url>',
      'use a new local stack whose simulated phone registers at this SMSGate server (…/3rdparty/v1)',
    )
      .argParser(address)
      .conflicts(['stage', 'baseUrl']),
  )
  .addOption(
    new Option('--private-token <token>', 'the token that this server requires from new phones').env(
      'SMSGATE_PRIVATE_TOKEN',
    ),
  )
  .addOption(
    new Option(
      '--load <minutes>',
      'with --smsgate: create charges and texts steadily for this long, instead of running the journeys',
    ).argParser(Number),
  )
  .addOption(new Option('--live-key <key>', 'a merchant’s key for charges').env('MOMO_LIVE_KEY'))
  .addOption(new Option('--sms-key <key>', 'a merchant’s key for texts').env('MOMO_SMS_KEY'))
  .addOption(
    new Option('--to <number>', 'send real texts to this number: two with --stage, one with --base-url').argParser(
      phoneNumber,
    ),
  )
  .addOption(new Option('--receiver <url>', 'test the webhook, with this https address').argParser(address))
  .addOption(new Option('--pay', 'wait for you to pay a charge of GHS 1.00'))
  .addOption(
    new Option('--patience <seconds>', 'how long to wait for a text to be sent').argParser(Number).default(200),
  )
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<Options>();

interface Options {
  stage?: string;
  baseUrl?: string;
  smsgate?: string;
  privateToken?: string;
  load?: number;
  liveKey?: string;
  smsKey?: string;
  to?: string;
  receiver?: string;
  pay?: boolean;
  patience: number;
}

/** Maximum time for a person to pay. */
const PAYER_PATIENCE_MS = 10 * 60_000;

/** Recipient of texts that are never delivered. */
const SOMEBODY = '+233551112223';

/** Explains how to provide each resource of a journey. */
const OPTIONS = {
  liveKey: 'MOMO_LIVE_KEY',
  smsKey: 'MOMO_SMS_KEY',
  sends: 'a number that merchants share: sender owner --merchant none',
  to: '--to NUMBER',
  receiver: '--receiver URL',
  pay: '--pay',
  desk: '--stage NAME',
  phone: '--smsgate URL',
} as const;

const { to, receiver } = options;
const given = { ...(to && { to }), ...(receiver && { receiver }), patienceMs: options.patience * 1000 };
const all = [...stageStories, ...stories, ...phoneStories];
try {
  if (options.baseUrl) process.exitCode = await tellAll({ ...withKeys(options.baseUrl), ...given });
  else if (options.smsgate) await tellThrough(options.smsgate);
  else await tellOnStage();
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exitCode = 1;
}

/** Runs all journeys on a stage and always deletes their rows. */
async function tellOnStage(): Promise<void> {
  const { stage, remove } = await openStage(await connect(options.stage), given.patienceMs);
  await tellUntilInterrupted({ ...stage, ...given }, async () => {
    console.log(`The journeys' merchant was removed, with ${await remove()} rows.`);
  });
}

/** Runs all journeys on a new local stack. Its phone sends nothing. */
async function tellThrough(url: string): Promise<void> {
  const { facts, phone, remove } = await joinStack({ url, privateToken: options.privateToken ?? '' });
  try {
    if (options.load) {
      console.log(JSON.stringify(await runLoad(facts, phone, options.load), null, 2));
      return await remove();
    }
    const { stagePhone, inHand } = await phoneInHand(phone);
    const { stage } = await openStage(await connect(undefined), given.patienceMs, stagePhone);
    const to = given.to ?? SOMEBODY;
    await tellUntilInterrupted({ ...stage, ...given, to, phone: inHand }, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

async function tellUntilInterrupted(kiosk: Kiosk, remove: () => Promise<void>): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort());
  // The reader of the output, such as `head`, has exited.
  process.stdout.on('error', () => interrupted.abort());
  try {
    const telling = tellAll(kiosk, interrupted.signal);
    process.exitCode = await Promise.race([telling, once(interrupted.signal, 'abort').then(() => 130)]);
  } finally {
    await remove();
  }
  // An interrupted story may still be waiting.
  process.exit();
}

function withKeys(baseUrl: string): Omit<Kiosk, 'patienceMs'> {
  const { liveKey, smsKey, pay } = options;
  // Explicitly requested journeys must not be skipped.
  for (const [asked, key, variable] of [
    [pay && '--pay', liveKey, OPTIONS.liveKey],
    [receiver && '--receiver', liveKey, OPTIONS.liveKey],
    [to && '--to', smsKey, OPTIONS.smsKey],
  ]) {
    if (!asked || key) continue;
    console.error(`${asked} needs a merchant's key. Set ${variable}`);
    process.exit(1);
  }
  return {
    baseUrl,
    ...(liveKey && { liveKey }),
    ...(smsKey && { smsKey, sends: true }),
    ...(pay && { pay: async (charge) => console.log(askForPayment(charge)) }),
  };
}

/** Returns the exit code. */
async function tellAll(kiosk: Kiosk, interrupted?: AbortSignal): Promise<number> {
  console.log(announcement(kiosk));
  let failed = 0;
  for (const story of all) if (!interrupted?.aborted && !(await tell(story, kiosk))) failed += 1;
  console.log(failed === 0 ? '\nEverything went as expected.' : `\n${failed} of ${all.length} stories failed.`);
  return failed === 0 ? 0 : 1;
}

/** Returns false if the story failed. */
async function tell(story: Story, kiosk: Kiosk): Promise<boolean> {
  const lacks = lackedBy(story, kiosk);
  if (lacks.length > 0) {
    console.log(`- ${story.name} (skipped: needs ${lacks.map((need) => OPTIONS[need]).join(' and ')})`);
    return true;
  }
  // No spinner while a person is prompted to pay.
  const isPaid = !kiosk.desk && story.needs.includes('pay');
  const notes: string[] = [];
  const noting: Kiosk = { ...kiosk, note: (words) => void notes.push(words) };
  try {
    await withProgress(false, async (progress) => {
      if (!isPaid) progress(story.name);
      await story.tell(isPaid ? { ...noting, patienceMs: PAYER_PATIENCE_MS } : noting);
    });
    console.log([`✓ ${story.name}`, ...notes].join('\n  '));
    return true;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    console.log(`✗ ${story.name}\n  ${error instanceof Error ? error.message.trim() : error}${cause}`);
    return false;
  }
}

function announcement(kiosk: Kiosk): string {
  const lines = [`On ${kiosk.baseUrl} this will`];
  if (kiosk.desk) {
    lines.push('create a temporary merchant, and remove it with all its data');
    if (kiosk.phone)
      lines.push('register a simulated phone at the SMSGate server, and remove it; its account stays there');
    else if (kiosk.to) lines.push(`really send 2 texts to ${kiosk.to}: a code, and a text`);
    else lines.push('send no text (add --to NUMBER to send two)');
    return `${lines.join('\n  · ')}\n`;
  }
  if (kiosk.liveKey) lines.push('create some charges that nobody pays; they expire in 24 hours');
  if (kiosk.smsKey && kiosk.to) lines.push(`really send 1 text to ${kiosk.to}, for 1 credit`);
  if (kiosk.smsKey && !kiosk.to) lines.push('send no text (add --to NUMBER to send one)');
  if (kiosk.liveKey && kiosk.receiver) lines.push(`set the merchant’s webhook to ${kiosk.receiver} for a few seconds`);
  if (kiosk.liveKey && kiosk.pay) lines.push('wait for you to pay GHS 1.00 to the merchant by mobile money');
  if (lines.length === 1) lines.push('call the routes that need no key (set MOMO_LIVE_KEY and MOMO_SMS_KEY for more)');
  return `${lines.join('\n  · ')}\n`;
}

function askForPayment({ amount, momo_number, momo_network, reference, authorization_url }: NewCharge): string {
  return `
Pay GHS ${amount.toFixed(2)} to ${momo_number} (${momo_network}) with the reference ${reference} now.
The page: ${authorization_url}
`;
}

/** Parses an https URL without a trailing slash. http is accepted only for localhost. */
function address(written: string): string {
  const url = URL.parse(written);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return written.replace(/\/+$/, '');
  throw new InvalidArgumentError('Enter an address such as https://pay.example.com');
}
