import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { ACCOUNTS_CACHE_SECONDS } from '../../shared/gateway/accounts.ts';
import { KEY_CACHE_SECONDS } from '../../shared/merchant/api-key.table.ts';
import { listMerchants } from '../../shared/merchant/merchant.table.ts';
import type { MomoAccount, Network } from '../../shared/merchant/momo-account.ts';
import { PublicError } from '../../shared/runtime/errors.ts';
import type { KeyKind } from '../../shared/runtime/row.ts';
import { SETTINGS_CACHE_SECONDS } from '../../shared/runtime/settings-cache.ts';
import { listSenders } from '../../shared/sender/sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR } from '../../shared/sender/sender.ts';
import { missingAwsSetup } from './aws.ts';
import { connect, type Place } from './connect.ts';
import { listDeadLetters, retryDeadLetters, sourceNames } from './dead-letters.ts';
import { examine } from './doctor.ts';
import { type Finding, isWrong, presentFindings } from './finding.ts';
import { connectGateway, disconnectGateway } from './gateway.ts';
import { CLOUD_URL, setAccount, setSigningKey } from './gateway-accounts.ts';
import {
  type AdminOutside,
  accountWarnings,
  addApiKey,
  addMerchant,
  addSender,
  assignReceiptOfNobody,
  changeMerchant,
  listReceiptsOfNobody,
  removeApiKey,
  removeWebhook,
  requireFreeSim,
  rollWebhook,
  setWebhook,
  showApiKeys,
  showBalance,
  switchSender,
  topUp,
} from './operations.ts';
import { OperatorError } from './operator-error.ts';
import { gatewayName, momoAccount, network, phoneNumber, positiveInteger, someText } from './option-values.ts';
import { asText } from './present.ts';
import { type Progress, withProgress } from './progress.ts';
import { readSecretInput } from './secret-input.ts';

/** `npm run --silent admin -- …`: the operator's command line. */
/** For how long functions remember the gateway accounts. */
const WHEN_ACCOUNTS_ARE_KNOWN = `within ${ACCOUNTS_CACHE_SECONDS / 60} minutes`;

const program = new Command('admin')
  .description('Runs a Momo Kiosk: the local stack by default, a deployed one with --stage NAME after the command.')
  .helpCommand(false)
  .showHelpAfterError('(--help shows how)');

const merchant = program.command('merchant').description('who is paid and who sends texts');
const key = program.command('key').description('API keys');
const credits = program.command('credits').description('prepaid SMS credits');
const webhook = program.command('webhook').description("where a merchant's events go");
const sender = program.command('sender').description('numbers that texts leave from');
const gateway = program.command('gateway').description('the accounts at SMSGate that reach the phones');
const receipt = program.command('receipt').description('payments that are not known to be one merchant’s');
const deadLetters = program.command('dead-letters').description('work that was given up');

const MERCHANT = new Option('--merchant <id>', 'the merchant').makeOptionMandatory();
const NUMBER = new Option('--number <number>', 'the phone number').argParser(phoneNumber).makeOptionMandatory();
const GATEWAY = new Option('--gateway <name>', 'the gateway account that reaches the phone')
  .argParser(gatewayName)
  .makeOptionMandatory();
const MOMO = new Option(
  '--momo <number:network:account name>',
  'where it is paid; repeat it for more, the first is shown',
).argParser(momoAccount);

verb(merchant, 'create', 'add a merchant', [
  new Option('--name <name>', 'as customers see it').argParser(someText).makeOptionMandatory(),
  MOMO,
]).action(
  run(async (outside, { name, momo = [], json }: { name: string; momo?: MomoAccount[]; json?: boolean }) => {
    const { merchant_id } = await addMerchant(outside, { name, momo_accounts: momo });
    if (!json) await warnOfAccounts(outside, merchant_id, momo);
    return { merchant_id };
  }),
);

verb(merchant, 'list', 'show all merchants').action(
  run(async (outside) => ({ merchants: await listMerchants(outside) })),
);

verb(merchant, 'set', 'change a merchant', [
  MERCHANT,
  new Option('--default-from <number>', 'the sender of texts whose caller names none').argParser(phoneNumber),
  MOMO,
]).action(
  run(async (outside, options: { merchant: string; defaultFrom?: string; momo?: MomoAccount[]; json?: boolean }) => {
    if (!options.defaultFrom && !options.momo)
      throw new OperatorError('Nothing to change: give --default-from or --momo.');
    const changes = { default_from: options.defaultFrom, momo_accounts: options.momo };
    const changed = await changeMerchant(outside, options.merchant, changes);
    if (!options.json) await warnOfAccounts(outside, options.merchant, options.momo ?? []);
    return inForce(changed);
  }),
);

verb(key, 'create', 'make a key, which is shown this once', [
  MERCHANT,
  new Option('--kind <kind>', 'live for charges, sms for texts').choices(['live', 'sms']).makeOptionMandatory(),
]).action(
  run(async (outside, options: { merchant: string; kind: KeyKind }) => ({
    key: await addApiKey(outside, options.merchant, options.kind),
  })),
);

verb(key, 'list', "show a merchant's keys by their last four characters", [MERCHANT]).action(
  run(async (outside, options: { merchant: string }) => ({ keys: await showApiKeys(outside, options.merchant) })),
);

verb(key, 'revoke', `end a key; it is refused everywhere within ${KEY_CACHE_SECONDS} seconds`, [
  MERCHANT,
  new Option('--hint <last4>', 'its last four characters').makeOptionMandatory(),
]).action(
  run(async (outside, options: { merchant: string; hint: string }) => ({
    revoked: await removeApiKey(outside, options.merchant, options.hint),
  })),
);

verb(credits, 'add', 'top a merchant up', [
  MERCHANT,
  new Option('--amount <credits>', 'one credit is one text to one number')
    .argParser(positiveInteger)
    .makeOptionMandatory(),
]).action(
  run(async (outside, options: { merchant: string; amount: number }) => ({
    balance: await topUp(outside, options.merchant, options.amount),
  })),
);

verb(credits, 'show', "show a merchant's balance", [MERCHANT]).action(
  run(async (outside, options: { merchant: string }) => ({ balance: await showBalance(outside, options.merchant) })),
);

verb(sender, 'add', 'add a number, or move it to another phone or SIM', [
  NUMBER,
  new Option('--network <network>', 'MTN, TELECEL or AT').argParser(network).makeOptionMandatory(),
  GATEWAY,
  new Option('--device <id>', "the phone's id at the gateway").makeOptionMandatory(),
  new Option('--sim <slot>', 'the SIM slot, from 1').argParser(positiveInteger).makeOptionMandatory(),
  new Option(
    '--per-hour <texts>',
    `how fast texts may leave; carriers let 30 to 200 through (a new number: ${DEFAULT_MESSAGES_PER_HOUR})`,
  ).argParser(positiveInteger),
]).action(
  run(async (outside, options: SenderOptions) => {
    const { number, network, gateway, device: device_id, sim: sim_number, perHour: messages_per_hour } = options;
    const place = { number, network, gateway, device_id, sim_number };
    await requireFreeSim(outside, place);
    return inForce(await addSender(outside, { ...place, messages_per_hour }));
  }),
);
interface SenderOptions {
  number: string;
  network: Network;
  gateway: string;
  device: string;
  sim: number;
  perHour: number;
}

verb(sender, 'list', 'show all senders').action(run(async (outside) => ({ senders: await listSenders(outside) })));

verb(sender, 'enable', 'let texts leave from a number', [NUMBER]).action(
  run(async (outside, options: { number: string }) => inForce(await switchSender(outside, options.number, true))),
);

verb(sender, 'disable', 'let no new text leave from a number', [NUMBER]).action(
  run(async (outside, options: { number: string }) => inForce(await switchSender(outside, options.number, false))),
);

verb(webhook, 'set', "set where a merchant's events go", [
  MERCHANT,
  new Option('--url <url>', 'an https:// address').makeOptionMandatory(),
]).action(
  run(async (outside, options: { merchant: string; url: string }) => {
    const { url, secret } = await setWebhook(outside, options.merchant, options.url);
    return { url, secret };
  }),
);

verb(webhook, 'remove', 'end it', [MERCHANT]).action(
  run(async (outside, options: { merchant: string }) => ({ removed: await removeWebhook(outside, options.merchant) })),
);

verb(webhook, 'roll', 'give it a new secret; the old one stays valid for 24 hours', [MERCHANT]).action(
  run(async (outside, options: { merchant: string }) => ({ secret: await rollWebhook(outside, options.merchant) })),
);

verb(receipt, 'list', 'show the payments that are not known to be one merchant’s', [
  new Option('--status <status>', 'held: a payment; unread: a text that could not be read')
    .choices(['held', 'unread'])
    .default('held'),
]).action(
  run(async (outside, { status, json }: { status: 'held' | 'unread'; json?: boolean }) => {
    const receipts = await listReceiptsOfNobody(outside, status);
    if (json) return { receipts };
    return {
      receipts: receipts.map(({ id, reason, amount, payer_name, payer_reference, received_at }) => {
        return { id, reason, amount, payer_name, payer_reference, received_at };
      }),
    };
  }),
);

verb(receipt, 'assign', 'give such a payment to a pending charge, whatever its amount', [
  new Option('--id <id>', 'of the receipt').argParser(someText).makeOptionMandatory(),
  new Option('--reference <reference>', 'of the charge, MK- and ten digits').argParser(someText).makeOptionMandatory(),
]).action(
  run(async (outside, options: { id: string; reference: string }) =>
    assignReceiptOfNobody(outside, options.id, options.reference),
  ),
);

verb(gateway, 'set', 'store how an account is reached; the password comes from stdin or SMSGATE_PASSWORD', [
  GATEWAY,
  new Option('--username <name>', 'as the app shows it under Cloud Server').argParser(someText).makeOptionMandatory(),
  new Option('--url <url>', `the address of its SMSGate server, where it is not ${CLOUD_URL}`),
]).action(
  runAt(async (place, options: { gateway: string; username: string; url?: string }) => {
    const password = await readSecretInput('SMSGATE_PASSWORD', 'password');
    await setAccount(place, options.gateway, { url: options.url, username: options.username, password });
    return { gateway: options.gateway, known_everywhere: WHEN_ACCOUNTS_ARE_KNOWN };
  }),
);

verb(gateway, 'set-signing-key', 'store the key a phone signs with; it comes from stdin or SMSGATE_SIGNING_KEY', [
  GATEWAY,
  new Option('--device <id>', "the phone's id at the gateway").argParser(someText).makeOptionMandatory(),
]).action(
  runAt(async (place, options: { gateway: string; device: string }) => {
    const key = await readSecretInput('SMSGATE_SIGNING_KEY', 'signing key');
    await setSigningKey(place, options.gateway, options.device, key);
    return { gateway: options.gateway, device: options.device, known_everywhere: WHEN_ACCOUNTS_ARE_KNOWN };
  }),
);

verb(gateway, 'connect', 'have its phones report to this service, and see whether they are awake', [GATEWAY]).action(
  runAt(
    async (place, options: { gateway: string }, progress) => {
      progress(`Asking the gateway ${options.gateway}`);
      return connectGateway(place, options.gateway);
    },
    {
      present: ({ findings, ...rest }) => `${asText(rest)}\n\n${presentFindings(findings)}`,
      findingsOf: ({ findings }) => findings,
    },
  ),
);

verb(gateway, 'disconnect', 'have its phones report to this service no more, before it is taken down', [
  GATEWAY,
]).action(
  runAt(async (place, options: { gateway: string }) => {
    await disconnectGateway(place, options.gateway);
    return { disconnected: options.gateway };
  }),
);

const QUEUE = new Option('--queue <name>', 'of one queue only').choices(sourceNames);

verb(deadLetters, 'list', 'show what was given up, and what has become of it', [QUEUE]).action(
  runAt(async (place, { queue }: { queue?: string }, progress) => ({
    dead_letters: await listDeadLetters(place, queue, progress),
  })),
);

verb(deadLetters, 'retry', 'have it tried again from the first try on; a text that was refunded is not sent', [
  QUEUE,
]).action(
  runAt(async (place, { queue }: { queue?: string }, progress) => ({
    queues: await retryDeadLetters(place, queue, progress),
  })),
);

verb(program, 'doctor', 'look at everything an environment needs; exit code 1 where something is wrong').action(
  runAt(
    async (place, _options, progress) => {
      const findings = await examine(place, progress);
      return { ok: !findings.some(isWrong), findings };
    },
    { present: ({ findings }) => presentFindings(findings), findingsOf: ({ findings }) => findings },
  ),
);

await program.parseAsync();

function verb(noun: Command, name: string, description: string, options: readonly Option[] = []): Command {
  const command = noun.command(name).description(description);
  for (const option of options) command.addOption(option);
  return command
    .option('--stage <name>', 'a deployed stage in place of the local stack')
    .option('--json', 'print one JSON object');
}

/** Says on stderr what the operator of these accounts should know. */
async function warnOfAccounts(outside: AdminOutside, merchantId: string, accounts: readonly MomoAccount[]) {
  for (const warning of await accountWarnings(outside, merchantId, accounts)) console.error(`Note: ${warning}`);
}

/** Runs one command on the table alone. */
function run<Options>(act: (outside: AdminOutside, options: Options) => Promise<object>) {
  return runAt(({ outside }, options: Options) => act(outside, options));
}

/**
 * Runs one command and prints what it gives: for people, or as JSON. A mistake is one sentence on stderr and exit code 1, as
 * is a finding that is wrong.
 */
function runAt<Options, Result extends object>(
  act: (place: Place, options: Options, progress: Progress) => Promise<Result>,
  { present = asText, findingsOf = () => [] }: Presentation<Result> = {},
) {
  return async (options: Options & { stage?: string; json?: boolean }) => {
    try {
      const place = connect(options.stage);
      const result = await withProgress(options.json === true, (progress) => act(place, options, progress));
      console.log(options.json ? JSON.stringify(result) : present(result));
      if (!findingsOf(result).some(isWrong)) return;
      process.exitCode = 1;
      if (!options.json) console.log(`\nCommands named here: npm run --silent admin -- COMMAND${stageOption(options)}`);
    } catch (error) {
      console.error(sentence(error, options.stage));
      process.exitCode = 1;
    }
  };
}

function stageOption({ stage }: { stage?: string }): string {
  return stage === undefined ? '' : ` --stage ${stage}`;
}

interface Presentation<Result> {
  readonly present?: (result: Result) => string;
  readonly findingsOf?: (result: Result) => readonly Finding[];
}

/** Functions remember settings for a moment. Who changed one gets the prompt back when the change holds everywhere. */
async function inForce<Result>(result: Result): Promise<Result> {
  await sleep(SETTINGS_CACHE_SECONDS * 1_000);
  return result;
}

function sentence(error: unknown, stage: string | undefined): string {
  if (error instanceof OperatorError || error instanceof PublicError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException' || error.name === 'QueueDoesNotExist') {
    return `There is no ${error.name === 'QueueDoesNotExist' ? 'queue' : 'table'} for stage ${stage}. Deploy it first, or look at the AWS region and account in use.`;
  }
  const missing = missingAwsSetup(error);
  if (missing) return missing;
  const isNowhere = 'code' in error && /^(ECONNREFUSED|ENOTFOUND)$/.test(String(error.code));
  if (!isNowhere) return `${error.name}: ${error.message}`;
  return stage === undefined
    ? 'The local stack does not answer. Start it again with "npm start".'
    : `AWS does not answer (${error.message}). Look at your network and the AWS region in use.`;
}
