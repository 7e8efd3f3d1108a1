import { CreateQueueCommand, DeleteQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import type { Aws } from '../../../infra/admin/aws.ts';
import { checkAlarms } from '../../../infra/admin/checks/alarms.ts';
import { checkApi } from '../../../infra/admin/checks/api.ts';
import { checkGateways } from '../../../infra/admin/checks/gateways.ts';
import { checkMerchants } from '../../../infra/admin/checks/merchants.ts';
import { checkQueues } from '../../../infra/admin/checks/queues.ts';
import { checkSenders } from '../../../infra/admin/checks/senders.ts';
import { checkStack } from '../../../infra/admin/checks/stack.ts';
import { checkTable } from '../../../infra/admin/checks/table.ts';
import { checkWallets } from '../../../infra/admin/checks/wallets.ts';
import { deadLettersOf, urlOf } from '../../../infra/admin/dead-letters.ts';
import { examine } from '../../../infra/admin/doctor.ts';
import { type Finding, isWrong, presentFindings } from '../../../infra/admin/finding.ts';
import { addApiKey } from '../../../shared/merchant/manage-keys.ts';
import { addMerchant, changeMerchant } from '../../../shared/merchant/manage-merchant.ts';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import { switchSender } from '../../../shared/sender/manage-senders.ts';
import { setHeldBack } from '../../../shared/sender/sender.table.ts';
import { healthyAws, placeOf, startQueues } from '../../support/place.ts';
import { arrive, createShop, mtn, pay } from '../../support/receipts.ts';
import { cashIn, refusal } from '../../support/wallets.ts';
import { createMerchant, createSender, createWorld, databaseOf, type World } from '../../support/world.ts';

const MTN = '+233241234567';
const DAY_MS = 24 * 3_600_000;

describe('the stack', () => {
  test('that exists, with functions that were not throttled, is fine', async () => {
    expect(await stackWith({})).toEqual([]);
  });

  test.each<[string, Partial<Aws>, RegExp]>([
    ['is not there', { stack: async () => undefined }, /no stack .* npm run deploy -- -c stage=test/],
    [
      'was rolled back',
      { stack: stackIs('UPDATE_ROLLBACK_COMPLETE') },
      /deployment failed: .*UPDATE_ROLLBACK_COMPLETE/,
    ],
    ['is being changed', { stack: stackIs('UPDATE_IN_PROGRESS') }, /deployment is in progress/],
    [
      'has throttled functions',
      { throttles: async (names) => new Map(names.map((name) => [name, name.endsWith('-sms-send') ? 7 : 0])) },
      /throttled in the last hour: \S+-sms-send 7 times\..*Service Quotas/,
    ],
  ])('that %s', async (_, broken, sentence) => {
    expect(await stackWith(broken)).toEqual([expect.stringMatching(sentence)]);
  });

  async function stackWith(broken: Partial<Aws>) {
    return wrongs(await checkStack(placeOf(await createWorld({ inMemory: true }), { aws: healthyAws(broken) })));
  }
});

describe('the table', () => {
  test('of a laptop needs to be active and to have its stream', async () => {
    const place = placeOf(await createWorld({ inMemory: false }));
    expect(states(await checkTable(place))).toEqual(['fine', 'not here']);
  });

  test('that is missing', async () => {
    const place = placeOf(await createWorld({ inMemory: false }));
    const found = await checkTable({ ...place, table: { ...place.table, name: 'momo-kiosk-nowhere' } });
    expect(wrongs(found)).toEqual([expect.stringMatching(/no table momo-kiosk-nowhere.*Deploy again.*region/)]);
  });

  test.each([
    ['ENABLED', true, []],
    [
      'DISABLED',
      false,
      [/does not delete expired rows/, /Point-in-time recovery is off/, /Deletion protection is off/],
    ],
  ])('of a stage that keeps data, whose safeguards are %s', async (status, isProtected, sentences) => {
    const place = placeOf(await createWorld({ inMemory: false }), { aws: healthyAws() });
    const { client } = place.table;
    // DynamoDB Local knows none of the three.
    const known: Record<string, object> = {
      DescribeTimeToLiveCommand: {
        TimeToLiveDescription: { TimeToLiveStatus: status, AttributeName: tableSchema.timeToLiveAttribute },
      },
      DescribeContinuousBackupsCommand: {
        ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: status } },
      },
    };
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const output = known[commandName];
          if (output) return { output: { $metadata: {}, ...output }, response: {} };
          const answer = await next(args);
          if ('Table' in answer.output && answer.output.Table)
            answer.output.Table.DeletionProtectionEnabled = isProtected;
          return answer;
        },
      { step: 'initialize' },
    );
    const found = await checkTable({ ...place, table: { ...place.table, keepsData: true } });
    expect(wrongs(found)).toEqual(sentences.map((each) => expect.stringMatching(each)));
  });
});

describe('the queues', () => {
  test('that are empty are fine', async () => {
    expect(wrongs(await checkQueues(await queuePlace()))).toEqual([]);
  });

  test('a dead letter is reported, with what to do', async () => {
    const place = await queuePlace();
    const QueueUrl = await urlOf(place, deadLettersOf('deliver-sms'));
    await place.queues.client.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    expect(wrongs(await checkQueues(place))).toEqual([
      expect.stringMatching(/is 1 dead letter of deliver-sms.*dead-letters list --queue deliver-sms.*retry/),
    ]);
  });

  test('one that is missing, and one whose failures are lost', async () => {
    const place = await queuePlace();
    const { client } = place.queues;
    await client.send(new DeleteQueueCommand({ QueueUrl: await urlOf(place, 'settle-receipt') }));
    await client.send(new DeleteQueueCommand({ QueueUrl: await urlOf(place, 'deliver-sms') }));
    await client.send(new CreateQueueCommand({ QueueName: 'deliver-sms' }));
    expect(wrongs(await checkQueues(place))).toEqual([
      expect.stringMatching(/deliver-sms has no dead-letter queue/),
      expect.stringMatching(/settle-receipt or its dead-letter queue is missing/),
    ]);
  });

  test('on AWS, jobs that wait for too long and changes that the relay gave up', async () => {
    const place = await queuePlace({
      oldestMessageSeconds: async (names) =>
        new Map(names.map((name) => [name, name === 'deliver-webhook' ? 1_801 : 1_800])),
    });
    const { client } = place.queues;
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'work-relay-dead-letters' }));
    expect(wrongs(await checkQueues(place))).toEqual([
      expect.stringMatching(
        /job of deliver-webhook has waited for 30 minutes.*log \/aws\/lambda\/momo-kiosk-test\/work /,
      ),
    ]);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    expect(wrongs(await checkQueues(place))).toContainEqual(
      expect.stringMatching(/^1 batch.* could not be processed by work\/relay/),
    );
  });

  async function queuePlace(broken?: Partial<Aws>) {
    const queues = await startQueues();
    return placeOf(await createWorld({ inMemory: true }), { queues, aws: broken && healthyAws(broken) });
  }
});

describe('the API', () => {
  test.each<[string, () => Promise<Response>, RegExp | undefined]>([
    ['its envelope', async () => Response.json({ status: false, code: 'not_found' }, { status: 404 }), undefined],
    ['another 404', async () => Response.json({ message: 'Not Found' }, { status: 404 }), /answers 404, but not as/],
    ['a page', async () => new Response('<html>'), /answers 200, but not as/],
    [
      'nothing',
      async () => {
        throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
      },
      /does not answer \(getaddrinfo ENOTFOUND\)/,
    ],
  ])('that answers %s', async (_, gateway, sentence) => {
    const world = await createWorld({ inMemory: true });
    world.gateway = gateway;
    expect(wrongs(await checkApi(placeOf(world)))).toEqual(sentence ? [expect.stringMatching(sentence)] : []);
  });
});

describe('the gateways', () => {
  test('if there are none', async () => {
    const found = await checkGateways(placeOf(await createWorld({ inMemory: true })));
    expect(wrongs(found)).toEqual([expect.stringMatching(/no gateway account.*gateway set/)]);
  });

  test('one that refuses the password does not hide the others, nor a sender of none', async () => {
    const world = await createWorld({ inMemory: true });
    await createSender(world, MTN);
    const place = placeOf(world);
    const reach = { url: 'https://gateway.example.com/3rdparty/v1', password: 'secret', signing_keys: {} };
    place.secret.text = JSON.stringify({ spare: { ...reach, username: 'ama' }, other: { ...reach, username: 'kofi' } });
    world.gateway = async () => new Response('', { status: 401 });
    expect(wrongs(await checkGateways(place))).toEqual([
      expect.stringMatching(/gateway spare rejected the user ama/),
      expect.stringMatching(/gateway other rejected the user kofi/),
      expect.stringMatching(/\+233241234567 uses the gateway phone, which has no account/),
    ]);
  });
});

describe('the senders', () => {
  test.each<[string, (world: World) => Promise<unknown>, RegExp[]]>([
    ['if there are none', async () => {}, [/no sender.*sender add/]],
    ['of which one can send', async (world) => createSender(world, MTN), []],
    [
      'of which all are disabled',
      async (world) => {
        await createSender(world, MTN);
        await switchSender(world.outside, MTN, false);
      },
      [/No sender can send.*sender enable/],
    ],
    [
      'of which one is held back',
      async (world) => {
        await createSender(world, MTN);
        await createSender(world, '+233201234567', 'device-2');
        await setHeldBack(world.outside, MTN, { held_back: 'phone_not_seen' });
      },
      [/\+233241234567 is paused: its phone has not been seen/],
    ],
    [
      'of which two are set to one SIM',
      async (world) => {
        await createSender(world, MTN);
        await createSender(world, '+233201234567');
      },
      [/\+233201234567 and \+233241234567 are assigned to the same SIM.*sender add --number \+233241234567/],
    ],
  ])('%s', async (_, given, sentences) => {
    const world = await createWorld({ inMemory: true });
    await given(world);
    expect(wrongs(await checkSenders(placeOf(world)))).toEqual(sentences.map((each) => expect.stringMatching(each)));
  });
});

describe('the merchants', () => {
  test('if there are none', async () => {
    expect(await merchantsAfter(async () => {})).toEqual([expect.stringMatching(/no merchant.*merchant create/)]);
  });

  test('one with keys and a number in a phone is fine', async () => {
    const found = await merchantsAfter(async (world) => {
      await createSender(world, MTN);
      await createMerchant(world);
    });
    expect(found).toEqual([]);
  });

  test('an unassigned payment of the last week', async () => {
    const found = await merchantsAfter(async (world) => {
      await createSender(world, MTN);
      await createMerchant(world);
      const { id: other } = await createMerchant(world);
      await createSender(world, '+233201234567', 'device-2');
      await addApiKey(world.outside, other, 'live');
      await pay(world, { number: MTN }, mtn({ reference: 'shoes' }));
      world.clock.nowMs += 6 * 24 * 3_600_000;
    });
    expect(found).toEqual([expect.stringMatching(/Held payments that no merchant sees.*: 1\..*receipt assign/)]);
  });

  test('one without a key; one with a live key and no number; one whose number is in no phone', async () => {
    const found = await merchantsAfter(async (world) => {
      await addMerchant(world.outside, { name: 'Kofi', momo_accounts: [] });
      const { merchant_id } = await addMerchant(world.outside, { name: 'Esi', momo_accounts: [] });
      await addApiKey(world.outside, merchant_id, 'live');
      await createSender(world, '+233201234567');
      const { id } = await createMerchant(world);
      await changeMerchant(world.outside, id, { default_from: '+233201234567' });
    });
    expect(found.toSorted()).toEqual([
      expect.stringMatching(/Ama Stores .* is paid on \+233241234567, which is not in any known phone.*sender add/),
      expect.stringMatching(/Esi .* has a live key but no MoMo number.*merchant set/),
      expect.stringMatching(/Kofi .* has no key.*key create/),
    ]);
  });

  async function merchantsAfter(given: (world: World) => Promise<void>) {
    const world = await createWorld({ inMemory: true });
    await given(world);
    return wrongs(await checkMerchants(placeOf(world)));
  }
});

describe('the wallets', () => {
  test('without a refused payment are fine', async () => {
    const world = await createWorld({ inMemory: true });
    await createShop(world);
    expect(states(await checkWallets(placeOf(world)))).toEqual(['fine']);
  });

  test('that refused payments in the last day, with who was told', async () => {
    const found = await walletsAfter(async (world) => {
      const shop = await createShop(world, { number: MTN });
      await arrive(world, shop, refusal({ from: 'EFUA ANANSI' }));
      world.clock.nowMs += DAY_MS;
      await arrive(world, shop, refusal());
      await arrive(world, shop, refusal({ amount: '70.50', from: 'ESI OWUSU' }));
      // On a phone that does not tell the number.
      await arrive(world, { number: '' }, { ...refusal(), recipient: null });
    });
    expect(found).toEqual([
      expect.stringMatching(
        /\+233241234567 \(MTN\) has reached its daily limit: 2 refused .* GHS 70\.5 from ESI OWUSU .*Its merchant \w+ was told.*merchant set --momo/,
      ),
      expect.stringMatching(/an unknown number \(MTN\).*: 1 refused.*No merchant was told/),
    ]);
  });

  test('that are nearly full, where nobody was told because they are shared', async () => {
    const found = await walletsAfter(async (world) => {
      const shop = await createShop(world);
      await arrive(world, shop, cashIn('4600.00'));
      for (let merchants = 0; merchants < 2; merchants++) await createShop(world, { number: MTN });
      await arrive(world, { number: MTN }, cashIn('4700.00'));
    });
    expect(found).toEqual([
      expect.stringMatching(/\+233241234567 .* GHS 4700 of perhaps GHS 5000 .*No merchant was told/),
    ]);
  });

  async function walletsAfter(given: (world: World) => Promise<void>) {
    const world = await createWorld({ inMemory: true });
    await given(world);
    return wrongs(await checkWallets(placeOf(world)));
  }
});

describe('the alarms', () => {
  test.each<[string, Partial<Aws>, RegExp | undefined]>([
    ['silent, with a listener', {}, undefined],
    ['if there are none', { alarms: async () => [] }, /There are no alarms/],
    [
      'of which one is active',
      { alarms: async () => [{ name: 'late', state: 'ALARM', description: 'Texts wait.' }] },
      /alarm late is active: Texts wait\./,
    ],
    [
      'that the stage was deployed without',
      { stack: async () => ({ status: 'CREATE_COMPLETE', outputs: { ApiUrl: 'https://pay.example.com' } }) },
      undefined,
    ],
    ['that nobody hears', { subscriptions: async () => [] }, /Nobody is notified.*alarmEmail=/],
    [
      'whose listener has not confirmed',
      { subscriptions: async () => [{ endpoint: 'ama@example.com', isConfirmed: false }] },
      /ama@example\.com has not confirmed.*link in the e-mail/,
    ],
  ])('%s', async (_, broken, sentence) => {
    const place = placeOf(await createWorld({ inMemory: true }), { aws: healthyAws(broken) });
    expect(wrongs(await checkAlarms(place))).toEqual(sentence ? [expect.stringMatching(sentence)] : []);
  });
});

test('a check that throws is a finding of its own, and the others continue', async () => {
  const world = await createWorld();
  const place = placeOf(world, {
    aws: healthyAws({
      stack: async () => {
        throw new Error('AccessDenied');
      },
    }),
    queues: await startQueues(),
  });
  const findings = await examine(place, () => undefined);
  expect(findings).toContainEqual({
    check: 'stack',
    state: 'wrong',
    says: 'The check of stack failed: Error: AccessDenied',
    todo: expect.stringMatching(/permission/),
  });
  expect(new Set(findings.map(({ check }) => check)).size).toBe(9);
  expect(databaseOf(world).tableName).toBe(place.table.name);
});

test('a stage that was never deployed is one finding', async () => {
  const place = placeOf(await createWorld({ inMemory: true }), { aws: healthyAws({ stack: async () => undefined }) });
  expect(wrongs(await examine(place, () => undefined))).toEqual([expect.stringMatching(/no stack.*region/)]);
});

test('missing AWS credentials are one sentence and not eight', async () => {
  const place = placeOf(await createWorld({ inMemory: true }), {
    aws: healthyAws({
      stack: async () => {
        throw Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
      },
    }),
  });
  await expect(examine(place, () => undefined)).rejects.toThrow('none');
});

function stackIs(status: string): Aws['stack'] {
  return async () => ({ status, outputs: {} });
}

/** What is wrong, with what to do, a line each. */
function wrongs(findings: readonly Finding[]): string[] {
  return findings.filter(isWrong).map((finding) => presentFindings([finding]).replace(/^✗ /, '').replace(/\n +→/, ''));
}

function states(findings: readonly Finding[]): string[] {
  return findings.map(({ state }) => state);
}
