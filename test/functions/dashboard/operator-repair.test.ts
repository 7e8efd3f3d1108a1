import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { plain } from '../../../infra/local/story/visitor.ts';
import { receiveLetters, urlOf } from '../../../shared/operations/dead-letter/letter-queue.ts';
import { examine } from '../../../shared/operations/doctor/doctor.ts';
import type { Deployment } from '../../../shared/runtime/stage/deployment.ts';
import { deadLettersOf } from '../../../shared/runtime/stage/names.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { deploymentOf, startQueues } from '../../support/deployment.ts';
import { asScene, type Person, type Scene, scene } from '../../support/scene.ts';
import { createStage } from '../../support/stage.ts';
import { callAt } from '../../support/world.ts';

const REPAIR = '/dashboard/operator-repair';
let world: Scene;
let by: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  by = await world.signIn('operator');
});

const open = (path = '', query = {}) => by.visit(`${REPAIR}${path}`, { query });
const submit = (path: string) => by.visit(`${REPAIR}${path}`, { form: {} });

test('the operator’s audit log excludes merchants’ actions', async () => {
  await world.createSender('+233241234567');
  const merchant = await world.createMerchant();
  await merchant.signIn('manager');
  await by.visit('/dashboard/operator-phones/233241234567/disable', { form: {} });
  const { text } = await open('/audit');
  expect(text).toMatch(/Canary the operator.*sender disable.*\+233241234567/s);
  expect(text).not.toContain('manager');
});

describe('dead letters', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = deploymentOf(world, { queues: await startQueues() });
    world.outside.call = (name, question) => callAt(deployment, name, question);
  });

  test('show an explanation if there are none', async () => {
    expect((await open()).text).toMatch(/No failed jobs/);
  });

  test('include a note that some may be hidden', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    await receiveLetters(deployment, await urlOf(deployment, deadLettersOf('deliver-webhook')));
    const { text } = await open();
    expectWords(text, ['A dead letter that someone else is reading appears after two minutes.'], ['event-of-shoes']);
  });

  test('can be retried per queue', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    await bury('deliver-webhook', { about: 'something else' });
    await bury('settle-receipt', { gateway: 'phone', device_id: 'device-1', event_id: 'text-of-shoes' });
    const { text } = await open();
    expect(text).toMatch(
      /deliver-webhook: 2.*event-of-shoes.*unknown.*Cannot be read.*unreadable.*One job cannot be retried\. This version cannot/s,
    );
    expect(text).toMatch(/settle-receipt: 1.*text-of-shoes/s);

    const { status, cookies } = await submit('/deliver-webhook/retry');

    expect(status).toBe(303);
    expect(noticeIn(cookies)).toContain('1 from deliver-webhook is being retried. 1 can only be dropped.');
    const after = (await open()).text;
    expect(after).toMatch(/deliver-webhook: 1.*Cannot be read/s);
    expect(after).not.toContain('event-of-shoes');
    expect(after).toMatch(/settle-receipt: 1.*text-of-shoes/s);
    expect((await open('/audit')).text).toMatch(
      /Canary the operator.*dead-letters retry.*deliver-webhook.*retried: 1/s,
    );
  });

  test('can be dropped together if they cannot be retried', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    await bury('deliver-webhook', { about: 'something else' });
    await submit('/deliver-webhook/drop');
    expectWords((await open()).text, ['event-of-shoes'], ['Cannot be read']);
  });

  test('can be dropped individually', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    await bury('deliver-webhook', { event_id: 'event-of-bags', tries: 3 });
    const [, letter = ''] = /deliver-webhook\/([\w-]+)\/drop/.exec((await open()).text) ?? [];
    await submit(`/deliver-webhook/${letter}/drop`);
    const { text } = await open();
    const left = ['event-of-shoes', 'event-of-bags'].filter((id) => text.includes(id));
    expect(left).toHaveLength(1);
    expect((await open('/audit')).text).toMatch(
      new RegExp(`dead-letters drop.*${left[0] === 'event-of-shoes' ? 'event-of-bags' : 'event-of-shoes'}`, 's'),
    );
  });

  test('return an error if already dropped', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    expectAnswer(await submit('/deliver-webhook/gone/drop'), 400, 'There is no dead letter gone');
    expect((await open()).text).toContain('event-of-shoes');
  });

  test('return an error while another process holds them', async () => {
    await bury('deliver-webhook', { event_id: 'event-of-shoes', tries: 3 });
    const [, letter = ''] = /deliver-webhook\/([\w-]+)\/drop/.exec((await open()).text) ?? [];
    world.outside.call = async (name, question) =>
      'ask' in question && question.ask === 'drop'
        ? { refused: 'There is no dead letter' }
        : callAt(deployment, name, question);
    const { status, text } = await submit(`/deliver-webhook/${letter}/drop`);
    expect(status).toBe(400);
    expect(text).toMatch(/<details open><summary>Drop<.*There is no dead letter/s);
    expect((await open()).text).toContain('<details><summary>Drop<');
  });

  test('return the list of queues if the queue is unknown', async () => {
    const { status, text } = await submit('/%3Cb%3Edeliver/retry');
    expect(status).toBe(400);
    expect(text).toContain('There is no queue &lt;b&gt;deliver. The queues are deliver-sms,');
  });

  test('are listed and retried in batches of 200', async () => {
    for (let n = 0; n < 205; n++) await bury('deliver-webhook', { event_id: `W${n}`, tries: 3 });
    expect((await open()).text).toContain('deliver-webhook: the first 200');
    await submit('/deliver-webhook/retry');
    expect((await open()).text).toContain('deliver-webhook: 5');
  });

  async function bury(queue: string, body: object) {
    const QueueUrl = await urlOf(deployment, deadLettersOf(queue));
    await deployment.queues.client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  }
});

describe('the doctor page', () => {
  test('shows the same results as the `doctor` command', async () => {
    const stage = await createStage();
    world = asScene(stage.world);
    by = await world.signIn('operator');
    world.outside.call = (name, question) => callAt(stage.deployment, name, question);
    expect((await open('/doctor')).text).toContain('Nothing is wrong');

    stage.table.isRecoverable = false;
    stage.aws.concurrencyLimit = async () => 10;
    await stage.deployment.queues.client.send(new CreateQueueCommand({ QueueName: 'other' }));
    const { text } = await open('/doctor');

    expect(text).toContain('2 things are wrong');
    for (const { message, todo } of await examine(stage.deployment)) {
      expect(plain(text)).toContain(message);
      if (todo) expect(plain(text)).toContain(todo);
    }
    expect(text).toContain('--stage test');
    const states = (await examine(stage.deployment)).map(({ state }) => state);
    const fine = states.filter((state) => state === 'fine').length;
    expect(text).toContain(`${fine} fine, ${states.length - 2 - fine} not applicable`);
  });

  test('names the checks that were skipped because of the time limit', async () => {
    const stage = await createStage();
    const found = await examine(stage.deployment, { forMs: 0 });
    expect(found.filter(({ state }) => state === 'wrong').map(({ message }) => message)).toContain(
      'There was not enough time to check gateways.',
    );
  });

  test('reports a hanging check after completing the other checks', async () => {
    const stage = await createStage();
    stage.aws.alarms = () => new Promise(() => undefined);
    const found = await examine(stage.deployment, { forMs: 3_000 });
    expect(found.filter(({ state }) => state === 'wrong').map(({ message }) => message)).toEqual([
      'There was not enough time to check alarms.',
    ]);
  });

  test('responds in time if CloudFormation or the clock check hangs', async () => {
    const stage = await createStage();
    stage.aws.stack = () => new Promise(() => undefined);
    stage.deployment.baseUrl = () => new Promise(() => undefined);
    const found = await examine(stage.deployment, { forMs: 200 });
    expect(found.map(({ message }) => message)).toContain('There was not enough time to check clock.');
  });

  test('shows why a stage cannot be checked', async () => {
    const stage = await createStage();
    const { baseUrl } = stage.deployment;
    stage.deployment.baseUrl = () => Promise.reject(new OperatorError('The stack has no address.'));
    world.outside.call = (name, question) => callAt(stage.deployment, name, question);
    const { status, text } = await open('/doctor');
    stage.deployment.baseUrl = baseUrl;
    expectAnswer({ status, text }, 200, 'The stack has no address.');
  });
});
