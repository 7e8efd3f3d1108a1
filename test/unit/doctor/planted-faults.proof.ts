import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { handler as housekeeping } from '../../../functions/work/housekeeping.ts';
import { connectGateway } from '../../../infra/admin/connect-gateway.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { listMerchants } from '../../../shared/merchants/merchant/merchant.table.ts';
import { urlOf } from '../../../shared/operations/dead-letter/letter-queue.ts';
import { examine } from '../../../shared/operations/doctor/doctor.ts';
import { isWrong, presentFindings } from '../../../shared/operations/doctor/finding.ts';
import { noteHeard, noteOddForm } from '../../../shared/phones/gateway/phone.table.ts';
import { closePhoneEvent, keepPhoneEvent, phoneEventRows } from '../../../shared/phones/gateway/phone-event.table.ts';
import { noteRefused } from '../../../shared/phones/gateway/refused-callback.table.ts';
import { listSenders, putSender, setHeldBack } from '../../../shared/phones/sender/sender.table.ts';
import type { Aws, Mapping } from '../../../shared/runtime/stage/aws.ts';
import { deadLettersOf } from '../../../shared/runtime/stage/names.ts';
import { acquireLease } from '../../../shared/runtime/table/lease.ts';
import { noteOutcome } from '../../../shared/runtime/table/recent-outcomes.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { createChain } from '../../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../../shared/wallets/chain/chain.ts';
import { changeChain } from '../../../shared/wallets/chain/change-chain.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { firstChain } from '../../../shared/wallets/chain/look.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import {
  endTest,
  type HearingTest,
  hearingOf,
  noteReturned,
  noteWalletHeard,
  startTest,
} from '../../../shared/wallets/wallet/hearing.table.ts';
import { disableEndpoint, endpointRows, noteFailing } from '../../../shared/webhook/endpoint.table.ts';
import { switchSender } from '../../support/actions.ts';
import { commandsIn, fill, mistakeIn, runAdmin } from '../../support/admin-commands.ts';
import { HEALTHY_OUTPUTS, healthySource } from '../../support/deployment.ts';
import { sliceOf } from '../../support/slice.ts';
import { GATEWAY_URL } from '../../support/smsgate.ts';
import { createStage, SENDER, type Stage } from '../../support/stage.ts';
import { STREAM_ARN } from '../../support/table-client.ts';
import { text, WALLET } from '../../support/wallet-chains.ts';
import { asGranted, callWorker, createMerchant, createSender, type World } from '../../support/world.ts';

const PHONE = { gateway: 'phone', device_id: 'device-1' };
const TELECEL = '+233201234567';

/** A fault, the doctor's message about it, and the operator's fix. */
interface Fault {
  readonly plant: (stage: Stage) => unknown;
  /** A list if several functions report the fault. */
  readonly message: RegExp | readonly RegExp[];
  readonly todo: RegExp;
  /** Values for placeholders in the suggested commands. */
  readonly fill?: (stage: Stage) => Readonly<Record<string, string>>;
  /** Manual steps in addition to the commands. The default restores AWS, the gateway and the clocks. */
  readonly byHand?: 'as before' | ((stage: Stage) => unknown);
  /** True if the test does not run the printed commands, which may fix a different cause. */
  readonly isAnotherCase?: true;
}

const streamLetter = {
  DDBStreamBatchInfo: { streamArn: STREAM_ARN, shardId: 'shard', startSequenceNumber: '1', endSequenceNumber: '2' },
};

const redeploy = /npm run deploy -- -c stage=test --revert-drift, with the rest of its context/;

const readers = ['work-relay', 'work-follow-up'];

const faults: Readonly<Record<string, Fault>> = {
  'a failed deployment': {
    plant: ({ aws }) => (aws.stack = stackIs('UPDATE_ROLLBACK_COMPLETE')),
    message: /^The last deployment failed, and the stack momo-kiosk-test is UPDATE_ROLLBACK_COMPLETE\.$/,
    todo: /Its events in CloudFormation show the reason\. Fix it and deploy again with: npm run deploy -- -c stage=test/,
  },
  'a deployment in progress': {
    plant: ({ aws }) => (aws.stack = stackIs('UPDATE_IN_PROGRESS')),
    message: /^The stack momo-kiosk-test is UPDATE_IN_PROGRESS, because a deployment is in progress\.$/,
    todo: /Run this again when the deployment has finished/,
  },
  'a missing stack': {
    plant: ({ aws }) => partIs(aws, 'api', undefined),
    message: /^There is no stack momo-kiosk-test-api\.$/,
    todo: /Check the AWS region in use, or deploy the stage with: npm run deploy -- -c stage=test/,
  },
  'a stack whose deployment failed': {
    plant: ({ aws }) => partIs(aws, 'dashboard', { status: 'UPDATE_FAILED', outputs: {} }),
    message: /^The last deployment failed, and the stack momo-kiosk-test-dashboard is UPDATE_FAILED\.$/,
    todo: /Its events in CloudFormation show the reason\. Fix it and deploy again with: npm run deploy -- -c stage=test/,
  },
  'another release without its queues and workers': {
    plant: async ({ aws, deployment }) => {
      const { stack } = aws;
      aws.stack = async (part) => {
        const found = await stack(part);
        return found && { ...found, outputs: { ...found.outputs, Release: '1.2.2-76543210' } };
      };
      await deployment.queues.client.send(
        new DeleteQueueCommand({ QueueUrl: await urlOf(deployment, 'deliver-push') }),
      );
      mappingOf(aws, 'work-deliver-push', () => []);
      withoutFunction(aws, 'till-show');
    },
    message:
      /^The stage runs a different release \(1\.2\.2-76543210\) from this one \(1\.2\.3-01234567\)\. Parts that differ/,
    todo: /^Deploy this release with: npm run deploy -- -c stage=test, .* check the stage with its own release: git checkout, npm ci, then doctor\.$/,
    byHand: async ({ aws, deployment }) => {
      aws.stack = stackIs('UPDATE_COMPLETE');
      aws.deployedFunction = async (id) => ({ arn: id, reserved: undefined, beforeStop: undefined });
      aws.mappings = async (id) => [{ id, source: healthySource(id), state: 'Enabled' }];
      await createQueue(deployment, 'deliver-push');
    },
  },
  'a deleted function': {
    plant: ({ aws }) => {
      withoutFunction(aws, 'work-deliver-sms');
      mappingOf(aws, 'work-deliver-sms', () => []);
    },
    message: /^There is no function work\/deliver-sms\. Queued texts do not reach/,
    todo: redeploy,
  },
  'a function with a concurrency limit of zero': {
    plant: ({ aws }) => aws.reserve('sms-send', 0),
    message: /^sms\/send cannot run, because its reserved concurrency is 0\. Callers cannot queue texts\.$/,
    todo: /^aws lambda delete-function-concurrency --function-name momo-kiosk-test-sms-send$/,
    byHand: ({ aws }) => aws.reserve('sms-send', undefined),
  },
  'a stopped stage': {
    plant: async (stage) => {
      await runAdmin(stage.deployment, ['stage', 'stop']);
      stage.aws.throttles = async (names) => new Map(names.map((name) => [name, 7]));
      stage.api = () => new Response('', { status: 503 });
      stage.world.clock.nowMs += 20 * MINUTE_MS;
    },
    message: /^The stage is stopped\. \d\d functions cannot run, and all calls are rejected\.$/,
    todo: /^Start it again with: stage start\.$/,
    byHand: async (stage) => {
      stage.aws.throttles = async () => new Map();
      stage.api = () => Response.json({ status: false, code: 'not_found' }, { status: 404 });
      stage.world.clock.nowMs -= 20 * MINUTE_MS;
    },
  },
  'a function that runs in a stopped stage': {
    plant: async ({ deployment, aws }) => {
      await runAdmin(deployment, ['stage', 'stop']);
      await aws.noteBeforeStop({ arn: 'sms-send', reserved: 0, beforeStop: 'none' }, undefined);
      await aws.reserve('sms-send', undefined);
    },
    message:
      /^The stage is stopped\. \d\d functions cannot run, and all calls are rejected\. 1 function can still run: sms\/send\.$/,
    todo: /^Start it again with: stage start\. To stop the others too, run: stage stop$/,
    isAnotherCase: true,
    byHand: ({ deployment }) => runAdmin(deployment, ['stage', 'start']),
  },
  'a third reader of the stream': {
    plant: ({ aws }) => {
      const { readers } = aws;
      const third = { id: 'uuid-3', source: STREAM_ARN, state: 'Enabled', functionName: 'copy-to-warehouse' };
      aws.readers = async (source) => [...(await readers(source)), third];
    },
    message:
      /^The function copy-to-warehouse reads the table's stream, which already has two readers\. AWS supports at most/,
    todo: /^aws lambda delete-event-source-mapping --uuid uuid-3$/,
  },
  'denied writes by functions': {
    plant: async ({ aws, world }) => {
      aws.iamRefusals = async () => 12;
      await world.outside.table.write([{ delete: { Key: { pk: 'LEASE', sk: 'housekeeping' } } }]);
    },
    message: /^IAM denied calls by this service's functions 12 times in the last hour \(AccessDenied\)\.$/,
    todo: /aws logs tail \/aws\/lambda\/momo-kiosk-test\/work --since 1h --filter-pattern .*LeadingKeys in transactions there. Then run: npm run deploy -- -c stage=test -c leadingKeys=off, with the rest/,
    byHand: async ({ aws, world }) => {
      aws.iamRefusals = async () => 0;
      await callWorker(world, housekeeping);
    },
  },
  'a check without a required IAM permission': {
    plant: ({ aws }) => {
      aws.concurrencyLimit = async () => {
        throw Object.assign(new Error('User x is not authorized to perform: lambda:GetAccountSettings'), {
          name: 'AccessDeniedException',
        });
      };
    },
    message: /^IAM denied the check of stack: User x is not authorized to perform: lambda:GetAccountSettings$/,
    todo: /^Give the user who runs the doctor this permission/,
  },
  'an account limited to ten concurrent functions': {
    plant: ({ aws }) => (aws.concurrencyLimit = async () => 10),
    message: /^This account can run 10 functions at a time, and workers can use up to 90 of them/,
    todo: /aws service-quotas request-service-quota-increase .* --quota-code L-B99A9384 --desired-value 1000$/,
  },
  'throttled functions': {
    plant: ({ aws }) => {
      aws.concurrencyLimit = async () => 10;
      aws.throttles = async (names) => new Map(names.map((name) => [name, name.endsWith('-sms-send') ? 7 : 0]));
    },
    message: /^Functions were throttled in the last hour: momo-kiosk-test-sms-send 7 times\. This account can run 10/,
    todo: /--desired-value 1000$/,
  },
  'a deleted table': {
    plant: ({ table, world }) => {
      table.exists = false;
      world.dynamoDb = async () => {
        throw new ResourceNotFoundException({ $metadata: {}, message: 'no such table' });
      };
    },
    message: /^There is no table momo-kiosk-test, so no request can be answered\.$/,
    todo: /docs\/operate\/runbooks\.md, "Restore to a point in time" .*Without data to keep: .*--revert-drift/,
    byHand: ({ table, world }) => {
      table.exists = true;
      world.dynamoDb = (_request, send) => send();
    },
  },
  'a table during an update': {
    plant: ({ table }) => (table.status = 'UPDATING'),
    message: /^The table momo-kiosk-test is UPDATING\.$/,
    todo: /Wait a few minutes/,
  },
  'a table without its stream': {
    plant: ({ table }) => (table.streamArn = undefined),
    message: /^The table has no stream, so accepted requests are never queued\.$/,
    todo: redeploy,
    byHand: ({ table, aws }) => {
      table.streamArn = 'arn:aws:dynamodb:eu-west-1:1:table/momo-kiosk-test/stream/new';
      const { mappings } = aws;
      aws.mappings = async (id) =>
        (await mappings(id)).map((one) => (readers.includes(id) ? { ...one, source: table.streamArn ?? '' } : one));
    },
  },
  'stream readers of a restored table': {
    plant: ({ table }) =>
      (table.streamArn = 'arn:aws:dynamodb:eu-west-1:1:table/momo-kiosk-test.new/stream/2026-11-20T10:20:58.502'),
    message: [
      /^work\/relay gets no events from the stream of the table momo-kiosk-test\.new \(2026-11-20T10:20:58\.502\)\. It gets events from the stream of the table momo-kiosk-test \(2026-01-01T00:00:00\.000\)\. .*not queued/,
      /^work\/follow-up gets no events from the stream of the table momo-kiosk-test\.new .*servers and phones are not notified/,
    ],
    todo: redeploy,
  },
  'a table without row expiry': {
    plant: ({ table }) => (table.expires = false),
    message: /does not delete expired rows by expires_at_epoch_seconds/,
    todo: /^aws dynamodb update-time-to-live --table-name momo-kiosk-test .*AttributeName=expires_at_epoch_seconds$/,
  },
  'disabled backups': {
    plant: ({ table }) => (table.isRecoverable = false),
    message: /^Point-in-time recovery is off/,
    todo: /^aws dynamodb update-continuous-backups --table-name momo-kiosk-test /,
  },
  'a table without deletion protection': {
    plant: ({ table }) => (table.isProtected = false),
    message: /^Deletion protection is off/,
    todo: /^aws dynamodb update-table --table-name momo-kiosk-test --deletion-protection-enabled$/,
  },
  'a disabled mapping with jobs waiting for it': {
    plant: ({ aws }) => {
      mappingOf(aws, 'work-deliver-sms', (one) => [{ ...one, state: 'Disabled' }]);
      aws.oldestMessageSeconds = async (names) =>
        new Map(names.map((name) => [name, name === 'deliver-sms' ? 7200 : 0]));
    },
    message:
      /^work\/deliver-sms is switched off, because its event source mapping is Disabled\. Queued texts do not reach/,
    todo: /^aws lambda update-event-source-mapping --uuid uuid-of-work-deliver-sms --enabled$/,
    byHand: ({ aws }) => {
      mappingOf(aws, 'work-deliver-sms', (one) => [{ ...one, state: 'Enabling' }]);
      aws.oldestMessageSeconds = async () => new Map();
    },
  },
  'a deleted mapping': {
    plant: ({ aws }) => mappingOf(aws, 'work-settle-receipt', () => []),
    message:
      /^work\/settle-receipt gets no events from settle-receipt\. It gets no events\. Payments that arrived are not/,
    todo: /"Recreate deleted resources"/,
    byHand: ({ aws }) =>
      mappingOf(aws, 'work-settle-receipt', () => [{ id: 'new', source: 'arn:1:settle-receipt', state: 'Enabled' }]),
  },
  'a disabled housekeeping rule': {
    plant: ({ aws }) => (aws.rule = async () => ({ name: 'every-minute', isEnabled: false })),
    message: /^work\/housekeeping is switched off, because its rule every-minute is disabled\. Stuck jobs stay stuck/,
    todo: /^aws events enable-rule --name every-minute$/,
  },
  'a missing housekeeping rule': {
    plant: ({ aws }) => (aws.rule = async () => undefined),
    message: /^No rule calls work\/housekeeping\./,
    todo: redeploy,
  },
  'a deleted queue': {
    plant: async ({ deployment }) =>
      deployment.queues.client.send(new DeleteQueueCommand({ QueueUrl: await urlOf(deployment, 'settle-receipt') })),
    message: /^The queue settle-receipt or its dead-letter queue is missing\.$/,
    todo: redeploy,
    byHand: ({ deployment }) => createQueue(deployment, 'settle-receipt'),
  },
  'a backlog despite a running worker': {
    plant: ({ aws }) => {
      aws.oldestMessageSeconds = async (names) =>
        new Map(names.map((name) => [name, name === 'deliver-webhook' ? 1801 : 1800]));
    },
    message: /^A job of deliver-webhook has waited for 30 minutes\.$/,
    todo: /aws logs tail/,
  },
  'a retryable dead letter': {
    plant: (stage) => bury(stage, 'deliver-webhook', { event_id: 'W1', tries: 1 }),
    message: /^There is 1 dead letter of deliver-webhook: abandoned jobs\.$/,
    todo: /dead-letters list --queue deliver-webhook\. Once the cause is fixed, run: dead-letters retry --queue/,
  },
  'unreadable dead letters': {
    plant: async (stage) => {
      await bury(stage, 'deliver-sms', { about: 'something else' });
      await bury(stage, 'deliver-sms', { about: 'something else' });
    },
    message: /^There are 2 dead letters of deliver-sms that cannot be retried/,
    todo: /dead-letters drop --queue deliver-sms\. Delete them with: dead-letters drop --queue deliver-sms --yes$/,
  },
  'changes abandoned by the relay': {
    plant: (stage) => bury(stage, 'work-relay', streamLetter),
    message:
      /^There is 1 dead letter of work-relay: batches of changes to the table that work\/relay could not process/,
    todo: /dead-letters retry --queue work-relay$/,
  },
  'abandoned changes that have left the stream': {
    plant: async (stage) => {
      stage.table.forgets = true;
      await bury(stage, 'work-relay', streamLetter);
    },
    message: /^There is 1 dead letter of work-relay that cannot be retried/,
    todo: /dead-letters drop --queue work-relay --yes$/,
  },
  'a domain name that points elsewhere': {
    plant: (stage) => (stage.api = () => new Response('<html>')),
    message: /^https:\/\/pay\.example\.com responds with 200, but this is not the response that this service sends\.$/,
    todo: /ApiUrl/,
  },
  'a domain name without a DNS record': {
    plant: (stage) => (stage.api = undefined),
    message: /is not responding \(getaddrinfo ENOTFOUND\)/,
    todo: /DomainTarget/,
  },
  'a wrong clock on this machine': {
    plant: ({ aheadMs }) => (aheadMs.machine = 40 * MINUTE_MS),
    message: /^This machine’s clock is 40 minutes ahead\. The service uses AWS’s clock and is not affected/,
    todo: /timedatectl set-ntp true/,
  },
  'a wrong clock on a gateway': {
    plant: ({ aheadMs, gateway, world }) => {
      aheadMs.gateway = -20 * MINUTE_MS;
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs - 20 * MINUTE_MS) }];
    },
    message: /^The clock of the gateway phone is 20 minutes behind, so phones that are on may seem to be off/,
    todo: /^Turn on automatic time on the SMSGate server with: timedatectl set-ntp true$/,
  },
  'an invalid secret': {
    plant: ({ deployment }) => (deployment.secret.text = '{"phone": {"url": "https://x", "username": "canary"}}'),
    message: /^The secret with the gateway accounts is not valid \(phone\.password: /,
    todo: /run this again/,
  },
  'a missing gateway account': {
    plant: ({ deployment }) => (deployment.secret.text = '{}'),
    message: /^There is no gateway account, so no text can be sent\.$/,
    todo: /gateway set --gateway phone --username USERNAME/,
    fill: () => ({ USERNAME: 'ama' }),
    byHand: 'as before',
  },
  'a gateway that rejects the password': {
    plant: ({ world, deployment }) => {
      deployment.secret.text = account({ password: 'changed' });
      const { gateway } = world;
      world.gateway = async (request) => {
        const isRefused = request.headers.get('authorization') === `Basic ${btoa('ama:changed')}`;
        return isRefused ? Response.json({ message: 'no' }, { status: 401 }) : gateway(request);
      };
    },
    message:
      /^The gateway phone rejected the user ama \(401\), because the username or password is wrong\. No texts can be sent through this gateway/,
    todo: /Set them with: gateway set --gateway phone --username ama$/,
  },
  'an unresponsive gateway': {
    plant: (stage) => (stage.hangs = true),
    message:
      /^The gateway phone at \S+ is not responding \(The operation was aborted due to timeout\)\. No texts can be sent/,
    todo: /Check that the server is running/,
    isAnotherCase: true,
    fill: () => ({ URL: 'https://gateway.example.com/3rdparty/v1' }),
    byHand: 'as before',
  },
  'a gateway without a phone': {
    plant: ({ gateway }) => (gateway.devices = []),
    message: /^The gateway phone accepts the user ama but has no phone/,
    todo: /tap Offline, so that it says Online/,
  },
  'an offline phone with a sender on hold': {
    plant: async ({ world, gateway }) => {
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs - 16 * MINUTE_MS) }];
      await setHeldBack(world.outside, SENDER, { held_back: 'phone_not_seen' });
    },
    message:
      /^The phone Desk \(device-1\) has not been seen since \S+Z\. No texts are sent and no payments are recognised\.$/,
    todo: /SMSGate says Online/,
    byHand: async ({ world, gateway }) => {
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs) }];
      await setHeldBack(world.outside, SENDER, {});
    },
  },
  'a reinstalled app': {
    plant: ({ world, gateway }) => {
      const [old] = gateway.devices;
      gateway.devices = [
        { id: 'device-1', name: old?.name ?? '', lastSeen: iso(world.clock.nowMs - DAY_MS) },
        { id: 'device-9', name: 'Desk', lastSeen: iso(world.clock.nowMs) },
      ];
    },
    message:
      /^The phone Desk \(device-1\) has not been seen since .* another phone that is online and has no sender: Desk \(device-9\)\.$/,
    todo: /set-signing-key --gateway phone --device device-9, then sender add --number \+233241234567 --network MTN --gateway phone --device device-9 --sim 1\. Otherwise/,
  },
  'a phone without a signing key': {
    plant: ({ deployment }) => (deployment.secret.text = account({ signing_keys: {} })),
    message: /^The phone Desk \(device-1\) has no signing key here, so its callbacks are rejected\.$/,
    todo: /Signing Key\) and store it with: gateway set-signing-key --gateway phone --device device-1$/,
  },
  'a signing key changed in the app': {
    plant: ({ world }) =>
      noteRefused(world.outside, { reason: 'wrong_signature', gateway: 'phone', device_id: 'device-1' }),
    message:
      /^The phone Desk \(device-1\) signs with a different key from the one stored here\. Its callbacks are rejected/,
    todo: /gateway set-signing-key --gateway phone --device device-1\. The key takes effect within ten seconds, and the phone retries rejected callbacks\.$/,
    byHand: heardAgain,
  },
  'a signing key stored after the first callback': {
    plant: ({ world }) =>
      noteRefused(world.outside, { reason: 'unknown_device', gateway: 'phone', device_id: 'device-1' }),
    message:
      /^Posts from the phone Desk \(device-1\) until \S+ were rejected, because its signing key was not stored here yet/,
    todo: /^Its key is stored now\. .* run this again in a few minutes\.$/,
    byHand: heardAgain,
  },
  'a phone with a wrong clock': {
    plant: ({ world }) =>
      noteRefused(world.outside, { reason: 'clock', gateway: 'phone', device_id: 'device-1', skew_seconds: -420 }),
    message: /^The clock of the phone Desk \(device-1\) is 7 minutes behind\. Its callbacks are rejected/,
    todo: /turn on automatic time under .*Date & time/,
    byHand: heardAgain,
  },
  'a phone whose texts lag behind': {
    plant: ({ world }) => noteHeard(world.outside, 'phone', 'device-1', { isRead: true, delayMs: 6 * MINUTE_MS }),
    message:
      /^The texts of the phone Desk \(device-1\) lag behind\. The text that arrived at \S+Z had a time stamp 6 minutes earlier\./,
    todo: /^Text the phone\. .* ask customers to type the reference\. Otherwise, exempt SMSGate from battery saving/,
    byHand: async ({ world, gateway }) => {
      world.clock.nowMs += 31 * MINUTE_MS;
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs) }];
      await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
      await callWorker(world, housekeeping);
    },
  },
  'an online phone whose callbacks do not arrive': {
    plant: async ({ world, gateway }) => {
      await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
      world.clock.nowMs += 16 * MINUTE_MS;
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs) }];
      await callWorker(world, housekeeping);
    },
    message:
      /^The phone Desk \(device-1\) is online, but no signed callback has arrived since \S+Z\. Payments are not recognised\.$/,
    todo: /Settings → Ping must be on/,
    byHand: heardAgain,
  },
  'a phone with unreadable callbacks': {
    plant: ({ world }) =>
      notePastForm(world, {
        fault: 'unknown',
        form: '{"event":"sms:received","payload":"string"}',
      }),
    message:
      /^The phone device-1 of the gateway phone posts data that this version does not understand: 1 callback from \S+ to \S+\. Payments in these callbacks are not recognised\. Their format is \{"event":"sms:received","payload":"string"\}\.$/,
    todo: /^Update SMSGate on the phone to version 1\.68\.0\. Versions from 1\.33\.0 are understood\..* docs\/operate\/runbooks\.md, "Handle callbacks that are not understood"\.$/,
    byHand: understoodAgain,
  },
  'a phone that encrypts its callbacks': {
    plant: ({ world }) => notePastForm(world, { fault: 'encrypted', form: '"encrypted"' }),
    message:
      /^The phone device-1 of the gateway phone posts encrypted texts, which this service cannot read: 1 callback/,
    todo: /^Turn off encryption in the app: under Settings → Encryption, leave Passphrase empty\./,
    byHand: understoodAgain,
  },
  'a phone that sends broken JSON': {
    plant: ({ world }) => notePastForm(world, { fault: 'not_json', form: '"not JSON"' }),
    message: /^The phone device-1 of the gateway phone posts broken JSON: 1 callback/,
    todo: /^Update SMSGate on the phone to version 1\.68\.0\./,
    byHand: understoodAgain,
  },
  'a phone that sends repairable JSON': {
    plant: ({ world }) => noteOddForm(world.outside, 'phone', 'device-1', { fault: 'repaired', form: '"more"' }),
    message:
      /^The phone device-1 of the gateway phone posts broken JSON, with unescaped line feeds in texts, last at \S+\.$/,
    todo: /^The texts are read anyway\. Update the app/,
    byHand: ({ world }) => world.outside.table.write([{ delete: { Key: { pk: 'PHONE', sk: 'phone#device-1' } } }]),
  },
  'housekeeping that has not finished': {
    plant: async ({ world, gateway }) => {
      world.clock.nowMs += 11 * MINUTE_MS;
      gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: iso(world.clock.nowMs) }];
      await setHeldBack(world.outside, SENDER, { held_back: 'phone_not_seen' });
    },
    message: /^Housekeeping has not finished a run since \S+\. Stuck texts and payments stay stuck/,
    todo: /aws logs tail \/aws\/lambda\/momo-kiosk-test\/work --since 1h/,
    byHand: ({ world }) => callWorker(world, housekeeping),
  },
  'housekeeping that never finished': {
    plant: ({ world }) => world.outside.table.write([{ delete: { Key: { pk: 'LEASE', sk: 'housekeeping' } } }]),
    message: /^Housekeeping has never finished a run\. Stuck texts and payments stay stuck, and nobody is notified of/,
    todo: /aws logs tail/,
    byHand: ({ world }) => callWorker(world, housekeeping),
  },
  'an unsettled payment': {
    plant: ({ world }) => textArrives(world, -6 * MINUTE_MS),
    message: /^1 wallet texts were not read within five minutes\. Their payments/,
    todo: /aws logs tail \/aws\/lambda\/momo-kiosk-test\/work --since 1h/,
    byHand: async ({ world }) => {
      const job = { gateway: 'phone', device_id: 'device-1', event_id: 'E1' };
      const event = await phoneEventRows.find(world.outside, job);
      if (event) await closePhoneEvent(world.outside, job, event, {});
    },
  },
  'queued texts': {
    plant: async ({ world }) => {
      const lease = await acquireLease(world.outside, 'housekeeping', 60);
      await lease?.release({ texts: ['S1', 'S2'] });
    },
    message: /^Texts from 2 sends have waited longer than their sender’s rate limit can account for: S1, S2\.$/,
    todo: /aws logs tail \/aws\/lambda\/momo-kiosk-test\/work --since 1h/,
    byHand: ({ world }) => callWorker(world, housekeeping),
  },
  'a SIM without airtime': {
    plant: ({ world }) => outcomes(world, 'SIM#phone#device-1#1', 5),
    message: /^At least half of the last ten texts from \+233241234567 failed and were refunded\.$/,
    todo: /no airtime.*: sender disable --number \+233241234567$/,
    isAnotherCase: true,
    byHand: ({ world }) => outcomes(world, 'SIM#phone#device-1#1', 0),
  },
  'a changed network message': {
    plant: ({ world }) => outcomes(world, `WALLET#MTN#phone#${SENDER}`, 3),
    message:
      /^3 of the last ten texts from the wallet \+233241234567 \(MTN\) could not be read\. MTN may have changed its/,
    todo: /receipt list --status unread\. Then follow docs\/operate\/runbooks\.md, "Support new network wording"\.$/,
    byHand: ({ world }) => outcomes(world, `WALLET#MTN#phone#${SENDER}`, 0),
  },
  'a webhook missing at the gateway': {
    plant: ({ gateway }) => (gateway.webhooks = gateway.webhooks.filter(({ event }) => event !== 'sms:received')),
    message:
      /^The gateway phone has no webhook to https:\/\/pay\.example\.com\/callback\/smsgate\/phone for sms:received, so its/,
    todo: /^Register them with: gateway connect --gateway phone$/,
  },
  'a webhook for every sent text': {
    plant: ({ gateway }) =>
      gateway.webhooks.push({
        id: 'mk-1-sent',
        event: 'sms:sent',
        deviceId: null,
        url: 'https://pay.example.com/callback/smsgate/phone',
      }),
    message:
      /^The phones of the gateway phone post sms:sent for each text, in sequence\. A payment is recognised only after/,
    todo: /gateway connect --gateway phone$/,
  },
  'webhooks with an outdated URL': {
    plant: ({ gateway }) =>
      (gateway.webhooks = gateway.webhooks.map((one) => ({ ...one, url: 'https://old.example' }))),
    message: /has no webhook to \S+ for sms:received, system:ping/,
    todo: /gateway connect --gateway phone$/,
  },
  'a sender whose phone the gateway does not list': {
    plant: ({ world }) => createSender(world, TELECEL, 'device-7'),
    message:
      /^The sender \+233201234567 uses the phone device-7, which the gateway phone does not have\. The sender’s texts are rejected/,
    todo: /one of the gateway’s phones \(device-1\) with: sender add --number \+233201234567 .* --device ID --sim 1$/,
    byHand: ({ gateway, world }) =>
      gateway.devices.push({ id: 'device-2', name: '2', lastSeen: iso(world.clock.nowMs) }),
    fill: ({ deployment }) => {
      deployment.secret.text = account({ signing_keys: { 'device-1': 'canary-1', 'device-2': 'canary-2' } });
      return { ID: 'device-2' };
    },
  },
  'a SIM missing from its slot': {
    plant: ({ gateway }) =>
      (gateway.devices = gateway.devices.map((one) => ({ ...one, simCards: [{ simNumber: 2 }] }))),
    message:
      /^The sender \+233241234567 uses SIM 1 of the phone device-1, which reports only SIM 2, so its texts are rejected\.$/,
    todo: /If it is in another slot, run: sender add --number \+233241234567 .*--device device-1 --sim 2$/,
  },
  'a sender whose gateway has no account': {
    plant: async ({ deployment }) => {
      deployment.secret.text = JSON.stringify({ spare: JSON.parse(account({})).phone });
      await connectGateway(deployment, 'spare');
    },
    message: /^The sender \+233241234567 uses the gateway phone, which has no account\.$/,
    todo: /gateway set --gateway phone --username USERNAME, then gateway connect --gateway phone$/,
    fill: () => ({ USERNAME: 'ama' }),
    byHand: 'as before',
  },
  'a sender that remains on hold': {
    plant: ({ world }) => setHeldBack(world.outside, SENDER, { held_back: 'phone_not_seen' }),
    message: /^Housekeeping still holds back \+233241234567, although the phone and the gateway work again\.$/,
    todo: /run this again/,
    byHand: ({ world }) => setHeldBack(world.outside, SENDER, {}),
  },
  'a stage without senders': {
    plant: ({ world }) => world.outside.table.write([{ delete: { Key: { pk: 'SENDER', sk: SENDER } } }]),
    message: /^There are no senders\. Texts are rejected and payments are held, because no phone has a number/,
    todo: /^sender add --number NUMBER --network NETWORK --gateway phone --device DEVICE --sim SLOT( --receive-only)?$/,
    fill: () => ({ NUMBER: SENDER, NETWORK: 'MTN', DEVICE: 'device-1', SLOT: '1' }),
  },
  'a stage with only disabled senders': {
    plant: ({ world }) => switchSender(world.outside, SENDER, false),
    message: /^No number can send\. Every text is rejected with 503, and no code reaches a customer\.$/,
    todo: /^Enable at least one with: sender enable --number \+233241234567$/,
  },
  'two senders for one SIM': {
    plant: ({ world }) => createSender(world, TELECEL),
    message: /^The senders \+233201234567 and \+233241234567 are assigned to the same SIM/,
    todo: /sender add --number \+233241234567 --network MTN --gateway phone --device ID --sim SLOT$/,
    fill: () => ({ ID: 'device-1', SLOT: '2' }),
  },
  'a stage without merchants': {
    plant: ({ world, merchant }) =>
      world.outside.table.write([{ delete: { Key: { pk: `MERCHANT#${merchant.id}`, sk: 'MERCHANT' } } }]),
    message: /^There are no merchants\.$/,
    todo: /^merchant create --name NAME --momo "NUMBER:NETWORK:ACCOUNT NAME"$/,
    isAnotherCase: true,
    fill: () => ({ 'NUMBER:NETWORK:ACCOUNT NAME': '0241234567:MTN:AMA' }),
    byHand: (stage) => createMerchant(stage.world),
  },
  'a merchant without a number or a key': {
    plant: ({ world }) => addMerchant(world.outside, { name: 'Kofi', momo_accounts: [] }),
    message: /^The merchant Kofi \(\w+\) has no MoMo number and no key\.$/,
    todo: /^merchant set --merchant \w+ --momo "NUMBER:NETWORK:ACCOUNT NAME", or: key create --merchant \w+ --kind sms$/,
    // One of the commands is enough, so the test does not run them.
    isAnotherCase: true,
    fill: () => ({ 'NUMBER:NETWORK:ACCOUNT NAME': '0241234567:MTN:KOFI' }),
    byHand: async ({ world }) => {
      for (const { merchant_id } of await listMerchants(world.outside))
        await addApiKey(world.outside, merchant_id, 'sms');
    },
  },
  'a merchant whose number has no phone': {
    plant: ({ world, merchant }) =>
      changeMerchant(world.outside, merchant.id, {
        momo_accounts: [{ number: TELECEL, network: 'TELECEL', account_name: 'AMA' }],
      }),
    message: /^The merchant Ama Stores \(\w+\) receives payments on \+233201234567, but no known phone has that number/,
    todo: /sender add --number \+233201234567 --network TELECEL --gateway phone --device DEVICE --sim SLOT( --receive-only)?$/,
    fill: () => ({ DEVICE: 'device-1', SLOT: '2' }),
    byHand: ({ gateway }) => (gateway.devices = gateway.devices.map((one) => ({ ...one, simCards: [] }))),
  },
  'a disabled webhook': {
    plant: (stage) => webhookEnds(stage, 'failing'),
    message:
      /^The webhook of the merchant Ama Stores \(\w+\) has been off since 2026-01-01\S+Z, because every attempt failed for 5 days\. The merchant’s server is not notified of payments\.$/,
    todo: /webhook set --merchant \w+ --url https:\/\/shop\.example\.com\/hooks\. The merchant can replay missed events\.$/,
  },
  'a phone that sends but forwards nothing': {
    plant: async ({ world }) => {
      world.clock.nowMs += 1000;
      await testEnds(world, 'missed');
      await testEnds(world, 'missed');
    },
    message:
      /^The phone device-1 of the gateway phone sends but does not receive\. It posted none of the last 2 test texts to \+233241234567, and has never posted a text from that wallet\. Payments to it are not recognised\.$/,
    todo: /force-stop SMSGate .* docs\/operate\/runbooks\.md, "Repair a phone that misses texts"\.$/,
    byHand: walletHeard,
  },
  'a test text received but not forwarded': {
    plant: async ({ world }) => {
      world.clock.nowMs += 1000;
      await testEnds(world, 'missed');
      await noteReturned(world.outside, await testEnds(world, 'missed'));
    },
    message:
      /not recognised\. The last test text was in the phone’s inbox, so the SIM receives texts but the app misses them\.$/,
    todo: /allow it to read SMS/,
    byHand: walletHeard,
  },
  'an unsent reception test': {
    plant: ({ world }) => testEnds(world, 'not_sent'),
    message: /^The last test text to the phone with \+233241234567 was not sent/,
    todo: /^Send a text by hand from SIM 1 of the phone device-1, because the SIM may have no airtime\./,
    byHand: ({ world }) => testEnds(world, 'heard'),
  },
  'one of two phones not forwarding a wallet’s texts': {
    plant: async ({ world }) => {
      const { outside, clock } = world;
      const [sender] = await listSenders(outside);
      if (sender)
        await outside.table.write([putSender({ ...sender, in_use_since: iso(clock.nowMs - 3 * DAY_MS) }, sender)]);
      await noteHeard(outside, 'phone', 'device-1', { isPing: true });
      await noteWalletHeard(outside, SENDER, PHONE, iso(clock.nowMs - 2 * DAY_MS));
      await noteWalletHeard(outside, SENDER, { ...PHONE, device_id: 'device-2' }, iso(clock.nowMs));
    },
    message:
      /^2 phones receive texts from the wallet \+233241234567, but the phone device-1 of the gateway phone has posted none of these texts since \S+\.$/,
    todo: /"Repair a phone that misses texts"\.$/,
    byHand: ({ world }) => noteWalletHeard(world.outside, SENDER, PHONE, iso(world.clock.nowMs)),
  },
  'a wallet with a gap in its balances': {
    plant: async ({ world }) => {
      await nameEarlier(world, 60, 105_00);
      await linkTexts(world.outside, WALLET, [movement(world, 40, 100_00, 12_50)]);
    },
    message:
      /^For 40 minutes, no new text to the wallet \+233241234567 \(MTN\) has followed from its last verified balance\. A text was lost, or the new texts are forged\. Larger payments to it are held\.$/,
    todo: /"Resolve a broken balance chain"\. Ask its owner to read the balance .* For a shared number, run: wallet balance/,
    fill: toldBalance,
    isAnotherCase: true,
    byHand: async ({ world }) => {
      await nameBalance(world.outside, WALLET, 112_50);
      // The lost text arrives.
      await linkTexts(world.outside, WALLET, [movement(world, 50, 105_00, -5_00)]);
    },
  },
  'a payment without a text': {
    plant: async ({ world }) => {
      await nameEarlier(world, 60, 105_00);
      await linkTexts(world.outside, WALLET, [movement(world, 40, 141_00, 5_00)]);
      await nameBalance(world.outside, WALLET, 146_00);
    },
    message:
      /^No text from the wallet \+233241234567 \(MTN\) reported that GHS 36\.00 came in between \S+Z and \S+Z\.$/,
    todo: /statement with: wallet reconcile --number \+233241234567 --file STATEMENT --apply$/,
    fill: ({ world }) => {
      const { id, at_ms } = movement(world, 50, 105_00, 36_00);
      const file = join(mkdtempSync(join(tmpdir(), 'statement-')), 'statement.csv');
      writeFileSync(file, `TRANSACTION DATE,F_ID,BAL BEFORE,BAL AFTER\n${iso(at_ms)},${id},105,141`);
      return { STATEMENT: file };
    },
  },
  'an anchored wallet that no phone forwards': {
    plant: async ({ world }) => {
      await world.outside.table.write([createChain(firstChain(WALLET, [], 105_00, world.clock.nowMs - 3 * DAY_MS))]);
    },
    message:
      /^The balance chain of the wallet \+233241234567 \(MTN\) decides which payments are confirmed, but no phone has received its texts for a month\./,
    todo: /"Repair a phone that misses texts"\.$/,
    byHand: ({ world }) => noteWalletHeard(world.outside, WALLET.momo_number, PHONE, iso(world.clock.nowMs)),
  },
  'a wallet with guessed balances': {
    plant: async ({ world }) => {
      await nameEarlier(world, 60, 105_00);
      const { nowMs } = world.clock;
      await changeChain(world.outside, WALLET, () => ({ failed_ms: [nowMs, nowMs, nowMs] }));
    },
    message:
      /^Somebody may be guessing the balance of the wallet \+233241234567 \(MTN\), .* Until \S+Z, payments to it are verified only/,
    todo: /^Ask its owner to read the balance .* For a shared number, run: wallet balance/,
    fill: toldBalance,
    isAnotherCase: true,
    byHand: ({ world }) => nameBalance(world.outside, WALLET, 105_00),
  },
  'a webhook whose server returned 410': {
    plant: (stage) => webhookEnds(stage, 'gone'),
    message: /has been off since 2026-01-01\S+Z, because its server returned 410\./,
    todo: /webhook set --merchant/,
  },
  'a failing webhook': {
    plant: async (stage) => {
      const now = stage.world.clock.nowMs;
      await noteFailing(stage.world.outside, await endpointOf(stage), iso(now - 16 * MINUTE_MS), iso(now));
    },
    message:
      /^The webhook of the merchant Ama Stores \(\w+\) has failed since \S+, and will be switched off after 5 days\./,
    todo: /https:\/\/shop\.example\.com\/hooks must respond with 2xx/,
    fill: () => ({ URL: 'https://shop.example.com/new' }),
  },
  'alarms without subscribers': {
    plant: ({ aws }) => (aws.subscriptions = async () => []),
    message: /^Nobody is notified of alarms\.$/,
    todo: /alarmEmail=you@example\.com/,
  },
  'alarms with an unconfirmed subscriber': {
    plant: ({ aws }) => (aws.subscriptions = async () => [{ endpoint: 'ama@example.com', isConfirmed: false }]),
    message: /^Nobody is notified of alarms, because ama@example\.com has not confirmed the subscription\.$/,
    todo: /link in the e-mail/,
  },
  'deleted alarms': {
    plant: ({ aws }) => (aws.alarms = async () => []),
    message: /^There are no alarms\.$/,
    todo: redeploy,
  },
  'muted alarms': {
    plant: ({ aws }) => alarmIs(aws, { isMuted: true }),
    message: /^1 of the 1 alarms are muted, so nobody is notified of momo-kiosk-test-api-server-errors\.$/,
    todo: /^aws cloudwatch enable-alarm-actions --alarm-names momo-kiosk-test-api-server-errors$/,
  },
  'an active alarm': {
    plant: ({ aws }) => alarmIs(aws, { state: 'ALARM' }),
    message: /^The alarm momo-kiosk-test-api-server-errors is active: Merchants get errors\.$/,
    todo: /^Fix the findings above first/,
  },
};

beforeAll(() => {
  vi.stubEnv('SMSGATE_PASSWORD', 'canary-password');
  vi.stubEnv('SMSGATE_SIGNING_KEY', 'canary-key-1');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

test('a healthy stage has no findings', async () => {
  const { deployment } = await createStage();
  expect(await wrongsAt(deployment)).toEqual([]);
});

test('a newly deployed stage has no findings', async () => {
  const { deployment, world, table } = await createStage();
  table.createdAtMs = world.clock.nowMs - MINUTE_MS;
  await world.outside.table.write([{ delete: { Key: { pk: 'LEASE', sk: 'housekeeping' } } }]);
  expect(await wrongsAt(deployment)).toEqual([]);
});

test('a new text is not overdue if the clock is a minute fast', async () => {
  const { deployment, world } = await createStage();
  await textArrives(world, MINUTE_MS);
  expect(await wrongsAt(deployment)).toEqual([]);
});

test('a healthy new dev stage prints the report from the deployment manual', async () => {
  const { deployment, aws } = await createStage();
  const stack = await aws.stack();
  const { AlarmTopicArn: _, ...outputs } = stack?.outputs ?? {};
  aws.stack = async () => ({ status: 'CREATE_COMPLETE', outputs });
  aws.concurrencyLimit = async () => 10;
  const said = presentFindings(await examine({ ...deployment, table: { ...deployment.table, keepsData: false } }));
  const [, example = ''] =
    /^```text\n(✓ This machine[\s\S]*?)^```/m.exec(readFileSync('docs/deploy/deploying.md', 'utf8')) ?? [];
  const plain = (line: string) =>
    line
      .replace(/momo-kiosk-\w+/, 'STACK')
      .replace(/https:\S+/, 'ADDRESS')
      .replace(/release: \S+/, 'RELEASE')
      .replace(/phone \w+ \([\w-]+\)/, 'phone')
      .replace(/\([0-9A-Z]{26}\)/, 'ID');
  const lines = new Set(said.split('\n').map(plain));
  expect(said).not.toContain('✗');
  const shown = example.trim().split('\n').map(plain);
  expect(shown.filter((line) => !lines.has(line))).toEqual([]);
});

test('a silent phone gets no ✓', async () => {
  const { deployment, world } = await createStage();
  const account = { number: SENDER, network: 'MTN', account_name: 'KOFI' } as const;
  await addMerchant(world.outside, { name: 'Kofi', momo_accounts: [account] });
  const findings = await examine(deployment);
  expect(findings.filter(isWrong)).toEqual([]);
  const fines = findings.filter(({ state }) => state === 'fine').map(({ check, message }) => `${check}: ${message}`);
  expect(fines).toContain('stack: The stage runs this release: 1.2.3-01234567.');
  expect(fines).toContainEqual(
    expect.stringMatching(/: The merchant Kofi .* has the numbers that it needs, and does not need a key\.$/),
  );
  const never = findings.filter(({ message }) => /device-1|has been received yet/.test(message));
  expect(never.map(({ state, message }) => ({ state, message }))).toEqual([
    {
      state: 'not here',
      message: expect.stringMatching(/^The phone Desk .* no signed callback has arrived here yet\.$/),
    },
    { state: 'not here', message: 'No text from the wallet +233241234567 has been received yet.' },
  ]);
  await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
  const message = expect.stringMatching(/^The phone Desk .* was seen 0 minutes ago\.$/);
  expect(await examine(deployment)).toContainEqual({ check: 'gateways', state: 'fine', message });
});

const gone = 'the doctor reports %s until its instructions are followed';
test.each(sliceOf(Object.entries(faults), 3))(gone, async (_, fault) => {
  const stage = await createStage();
  const putBack = asItIs(stage);
  await fault.plant(stage);

  const found = await wrongsAt(stage.deployment);

  const todo = expect.stringMatching(fault.todo);
  expect(found).toEqual([fault.message].flat().map((message) => ({ message: expect.stringMatching(message), todo })));
  const commands = commandsIn(found[0]?.todo ?? '');
  if (fault.byHand === 'as before' || (!fault.byHand && commands.length === 0)) putBack();
  else if (fault.byHand) await fault.byHand(stage);
  for (const command of commands) {
    const words = fill(command, fault.fill?.(stage) ?? {});
    expect(await mistakeIn(words)).toBeUndefined();
    if (!fault.isAnotherCase) await runAdmin(stage.deployment, words);
  }
  expect(await wrongsAt(stage.deployment)).toEqual([]);
});

async function wrongsAt(deployment: Stage['deployment']) {
  // Run with the permissions of the deployed operations function.
  const findings = await asGranted(manifest['work/repair'], () => examine(deployment));
  return findings.filter(isWrong).map(({ message, todo }) => ({ message, todo }));
}

/** Returns a function that restores the stage's current state. */
function asItIs(stage: Stage): () => void {
  const { aws, table, deployment, gateway, aheadMs } = stage;
  const kept = [stage, aws, table, deployment.secret, gateway, aheadMs].map((one) => [one, { ...one }] as const);
  return () => {
    for (const [one, was] of kept) Object.assign(one, was);
  };
}

function walletHeard({ world }: Stage) {
  world.clock.nowMs += 1000;
  return noteWalletHeard(world.outside, SENDER, PHONE, iso(world.clock.nowMs));
}

async function heardAgain({ world }: Stage) {
  world.clock.nowMs += 1000;
  await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
}

/** Records an unknown callback format last seen two days ago, which is obsolete after a later readable text. */
async function notePastForm(world: World, form: Parameters<typeof noteOddForm>[3]) {
  world.clock.nowMs -= 2 * DAY_MS;
  await noteOddForm(world.outside, 'phone', 'device-1', form);
  world.clock.nowMs += 2 * DAY_MS;
}

async function understoodAgain({ world }: Stage) {
  world.clock.nowMs += 1000;
  await noteHeard(world.outside, 'phone', 'device-1', { isRead: true });
}

/** Records ten outcomes, including this many failures. */
async function outcomes({ outside }: World, subject: string, failures: number) {
  for (let n = 0; n < 10; n++) await noteOutcome(outside, subject, n < failures);
}

/** Returns a transaction in the stage's wallet from this many minutes ago. */
function movement({ clock }: World, minutesAgo: number, before: number, moved: number): Movement {
  const at_ms = clock.nowMs - minutesAgo * MINUTE_MS;
  return text(-minutesAgo, before, moved, { at_ms, arrived_ms: at_ms });
}

/** Names the wallet's balance, in pesewas, and has its phone forward a text. */
async function nameEarlier({ outside, clock }: World, minutesAgo: number, balance: number): Promise<void> {
  await outside.table.write([createChain(firstChain(WALLET, [], balance, clock.nowMs - minutesAgo * MINUTE_MS))]);
  await noteWalletHeard(outside, WALLET.momo_number, PHONE, iso(clock.nowMs));
}

function toldBalance({ world }: Stage): Readonly<Record<string, string>> {
  return { CEDIS: '105.20', NAME: 'Ama', TIME: iso(world.clock.nowMs) };
}

/** Stores a wallet text that has not been processed. */
async function textArrives(world: World, laterMs: number): Promise<void> {
  world.clock.nowMs += laterMs;
  const payload = { message: 'canary', sender: 'MobileMoney' };
  await keepPhoneEvent(world.outside, 'phone', { event: 'sms:received', id: 'E1', deviceId: 'device-1', payload });
  world.clock.nowMs -= laterMs;
}

/** Starts a reception test for the stage's wallet. */
async function beginTest({ outside }: World): Promise<HearingTest> {
  const said = { number: SENDER, from: SENDER, ...PHONE, nonce_hash: 'hash', send_id: 'send', misses: 0 };
  const before = (await hearingOf(outside, [SENDER]))[0]?.test;
  await outside.table.write([startTest(outside, { ...said, misses: before?.misses ?? 0 })]);
  const test = (await hearingOf(outside, [SENDER]))[0]?.test;
  if (test?.state !== 'waiting') throw new Error('No test has begun');
  return test;
}

async function testEnds(world: World, how: Parameters<typeof endTest>[2]): Promise<HearingTest> {
  const test = await beginTest(world);
  await endTest(world.outside, test, how);
  return test;
}

function stackIs(status: string): Aws['stack'] {
  return async () => ({ status, outputs: HEALTHY_OUTPUTS });
}

function partIs(aws: Aws, part: string, is: Awaited<ReturnType<Aws['stack']>>): void {
  const { stack } = aws;
  aws.stack = async (one) => (one === part ? is : stack(one));
}

function withoutFunction(aws: Aws, functionId: string): void {
  const { deployedFunction } = aws;
  aws.deployedFunction = async (id) => (id === functionId ? undefined : deployedFunction(id));
}

function createQueue(deployment: Stage['deployment'], name: string) {
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${deadLettersOf(name)}`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 20 });
  return deployment.queues.client.send(new CreateQueueCommand({ QueueName: name, Attributes: { RedrivePolicy } }));
}

function mappingOf(aws: Aws, functionId: string, change: (mapping: Mapping) => Mapping[]): void {
  const { mappings } = aws;
  aws.mappings = async (id) => {
    const found = await mappings(id);
    return id === functionId ? change(found[0] ?? { id, source: '', state: 'Enabled' }) : found;
  };
}

function alarmIs(aws: Aws, { state = 'OK', isMuted = false }): void {
  const alarm = { name: 'momo-kiosk-test-api-server-errors', state, isMuted, description: 'Merchants get errors.' };
  aws.alarms = async () => [alarm];
}

/** Returns the secret with the stage's gateway account. */
function account(changed: object): string {
  const reach = { url: GATEWAY_URL, username: 'ama', password: 'canary-password' };
  return JSON.stringify({ phone: { ...reach, signing_keys: { 'device-1': 'canary-key-1' }, ...changed } });
}

async function bury({ deployment }: Stage, queue: string, job: object): Promise<void> {
  const QueueUrl = await urlOf(deployment, deadLettersOf(queue));
  await deployment.queues.client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(job) }));
}

async function webhookEnds(stage: Stage, reason: Parameters<typeof disableEndpoint>[2]): Promise<void> {
  await disableEndpoint(stage.world.outside, await endpointOf(stage), reason, '2026-01-01T00:00:00.000Z');
}

async function endpointOf({ world, merchant }: Stage) {
  const endpoint = await endpointRows.find(world.outside, { merchant_id: merchant.id, key_kind: 'live' });
  if (!endpoint) throw new Error('The merchant has a webhook');
  return endpoint;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
