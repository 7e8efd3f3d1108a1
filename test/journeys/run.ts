import { Command, InvalidArgumentError, Option } from 'commander';
import { phoneNumber } from '../../infra/admin/options.ts';
import { withProgress } from '../../infra/admin/progress.ts';
import { type Charge, type Kiosk, type Story, stories } from './stories.ts';

/** `npm run journeys`: runs the journeys that need only HTTP against a deployed service. */
const options = new Command('journeys')
  .description(
    'Runs end-to-end tests against a deployed service, as a merchant would use it. Says first what it will do there.',
  )
  .addOption(
    new Option('--base-url <url>', 'the address of the service')
      .env('MOMO_BASE_URL')
      .argParser(address)
      .makeOptionMandatory(),
  )
  .addOption(new Option('--live-key <key>', 'a merchant’s key for charges').env('MOMO_LIVE_KEY'))
  .addOption(new Option('--sms-key <key>', 'a merchant’s key for texts').env('MOMO_SMS_KEY'))
  .addOption(new Option('--to <number>', 'send one real text, to this number').argParser(phoneNumber))
  .addOption(new Option('--receiver <url>', 'test the webhook, with this https address').argParser(address))
  .addOption(new Option('--pay', 'wait for you to pay a charge of GHS 1.00'))
  .addOption(new Option('--patience <seconds>', 'how long to wait for a text to be sent').argParser(Number).default(60))
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<Options>();

interface Options {
  baseUrl: string;
  liveKey?: string;
  smsKey?: string;
  to?: string;
  receiver?: string;
  pay?: boolean;
  patience: number;
}

/** How long a person may take to pay. */
const PAYER_PATIENCE_MS = 10 * 60_000;

/** How to provide each thing that a journey may need. */
const OPTIONS = {
  liveKey: 'MOMO_LIVE_KEY',
  smsKey: 'MOMO_SMS_KEY',
  to: '--to NUMBER',
  receiver: '--receiver URL',
  pay: '--pay',
} as const;

const { baseUrl, liveKey, smsKey, to, receiver } = options;
const kiosk: Kiosk = {
  baseUrl,
  ...(liveKey && { liveKey }),
  ...(smsKey && { smsKey }),
  ...(to && { to }),
  ...(receiver && { receiver }),
  ...(options.pay && { pay: async (charge) => console.log(askForPayment(charge)) }),
  patienceMs: options.patience * 1000,
};

// A journey that was requested is not skipped silently.
for (const [asked, key, variable] of [
  [options.pay && '--pay', liveKey, OPTIONS.liveKey],
  [receiver && '--receiver', liveKey, OPTIONS.liveKey],
  [to && '--to', smsKey, OPTIONS.smsKey],
]) {
  if (!asked || key) continue;
  console.error(`${asked} needs a key of the merchant's: set ${variable}`);
  process.exit(1);
}

console.log(announcement(kiosk));
let failed = 0;
for (const story of stories) if (!(await tell(story))) failed += 1;
console.log(failed === 0 ? '\nEverything went as expected.' : `\n${failed} of ${stories.length} stories failed.`);
process.exitCode = failed === 0 ? 0 : 1;

/** False if it failed. */
async function tell(story: Story): Promise<boolean> {
  const lacks = story.lacks(kiosk);
  if (lacks.length > 0) {
    console.log(`- ${story.name} (skipped: needs ${lacks.map((need) => OPTIONS[need]).join(' and ')})`);
    return true;
  }
  // A person is asked to pay, so no spinner may run beside the question.
  const isPaid = story.lacks({ ...kiosk, pay: undefined }).length > 0;
  try {
    await withProgress(false, async (progress) => {
      if (!isPaid) progress(story.name);
      await story.tell(isPaid ? { ...kiosk, patienceMs: PAYER_PATIENCE_MS } : kiosk);
    });
    console.log(`✓ ${story.name}`);
    return true;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    console.log(`✗ ${story.name}\n  ${error instanceof Error ? error.message.trim() : error}${cause}`);
    return false;
  }
}

function announcement(kiosk: Kiosk): string {
  const lines = [`On ${kiosk.baseUrl} this will`];
  if (kiosk.liveKey) lines.push('create some charges that nobody pays; they expire in 24 hours');
  if (kiosk.smsKey && kiosk.to) lines.push(`really send 1 text to ${kiosk.to}, for 1 credit`);
  if (kiosk.smsKey && !kiosk.to) lines.push('send no text (add --to NUMBER to send one)');
  if (kiosk.liveKey && kiosk.receiver) lines.push(`set the merchant’s webhook to ${kiosk.receiver} for a few seconds`);
  if (kiosk.liveKey && kiosk.pay) lines.push('wait for you to pay GHS 1.00 to the merchant by mobile money');
  if (lines.length === 1) lines.push('call the routes that need no key (set MOMO_LIVE_KEY and MOMO_SMS_KEY for more)');
  return `${lines.join('\n  · ')}\n`;
}

function askForPayment({ amount, momo_number, momo_network, reference, authorization_url }: Charge): string {
  return `
Pay GHS ${amount.toFixed(2)} to ${momo_number} (${momo_network}) with the reference ${reference} now.
The page: ${authorization_url}
`;
}

/** An https address without a slash at the end; http is for this machine alone. */
function address(written: string): string {
  const url = URL.parse(written);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return written.replace(/\/+$/, '');
  throw new InvalidArgumentError('Write an address such as https://pay.example.com');
}
