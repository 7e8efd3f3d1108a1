import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { service } from '../../../functions/manifest.ts';
import { createProgram } from '../../../infra/admin/program.ts';
import { removeStage } from '../../../infra/admin/remove-stage.ts';
import { startStage, stopStage } from '../../../infra/admin/stop-stage.ts';
import type { Aws, DeployedFunction } from '../../../shared/runtime/stage/aws.ts';
import { idOf } from '../../../shared/runtime/stage/names.ts';
import { PRICES } from '../../bench/prices.ts';
import { deploymentOf, healthyAws } from '../../support/deployment.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

/** A simulated deployed stage that records changes and can fail. */
interface Deployed {
  readonly functions: Map<string, DeployedFunction>;
  readonly stacks: Map<string, string>;
  readonly secrets: Set<string>;
  /** Number of changes before all calls fail. */
  callsLeft: number;
  readonly aws: Aws;
}

const OWN = 'own';
const PARTS = [...service.parts.map(({ name }) => name), OWN];
const isWorker = (name: string) => /queue|stream/.test(service.functions[name]?.on ?? '');
const ids = (is: boolean) =>
  Object.keys(service.functions)
    .filter((name) => isWorker(name) === is)
    .map(idOf);
const [workers, called] = [ids(true), ids(false)];

let stage: Deployed;
let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  stage = deployed();
});

const deployment = (keepsData = true) => {
  const made = deploymentOf(world, { aws: stage.aws });
  const tables = { TableNames: ['momo-kiosk-test', 'momo-kiosk-test.2026-11-20', 'momo-kiosk-test-two'] };
  const answers: Record<string, object> = { ListTables: tables, DescribeTable: { Table: { TableSizeBytes: 2 ** 31 } } };
  const send = async (command: object) => answers[command.constructor.name.replace('Command', '')] ?? {};
  const client = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), { send });
  return { ...made, table: { ...made.table, client, keepsData } };
};
const reserved = (id: string) => stage.functions.get(id)?.reserved;
const quiet = () => undefined;

describe('`stage stop`', () => {
  test('stops every public or scheduled function', async () => {
    expect(await stopStage(deployment(), quiet)).toBe(called?.length);
    expect(called?.map(reserved)).toEqual(called?.map(() => 0));
    expect(workers?.map(reserved)).toEqual(workers?.map(() => undefined));
    expect(called).toEqual(expect.arrayContaining(['transaction-initialize', 'pay-open', 'work-housekeeping']));
  });

  test('skips functions of missing stacks', async () => {
    stage.functions.delete('dashboard-today');
    expect(await stopStage(deployment(), quiet)).toBe((called?.length ?? 0) - 1);
  });

  test('explains how to stop the local stack', async () => {
    await expect(stopStage(deploymentOf(world), quiet)).rejects.toThrow(/Stop it with Ctrl-C/);
  });
});

describe('`stage start`', () => {
  test('restores each function’s reserved concurrency', async () => {
    limit('sms-send', 20);
    limit('docs-page', 0);
    const before = new Map(stage.functions);
    await stopStage(deployment(), quiet);
    expect(reserved('sms-send')).toBe(0);
    expect(await startStage(deployment(), quiet)).toBe(called?.length);
    expect(stage.functions).toEqual(before);
    expect(await startStage(deployment(), quiet)).toBe(0);
  });

  test('keeps concurrency reserved by a later deployment', async () => {
    await stopStage(deployment(), quiet);
    limit('sms-send', 7);
    await startStage(deployment(), quiet);
    expect(stage.functions.get('sms-send')).toMatchObject({ reserved: 7, beforeStop: undefined });
  });
});

test('`stage stop` and `stage start` can be repeated after an interruption', async () => {
  limit('sms-send', 20);
  limit('docs-page', 0);
  const before = new Map(stage.functions);
  for (const [act, isDone] of [
    [stopStage, () => called?.every((id) => reserved(id) === 0)],
    [startStage, () => [...stage.functions].every(([id, fn]) => fn.reserved === before.get(id)?.reserved)],
  ] as const) {
    expect(await timesUntilDone(() => act(deployment(), quiet))).toBeGreaterThan(10);
    expect(isDone()).toBe(true);
  }
  expect(stage.functions).toEqual(before);
});

describe('`stage remove`', () => {
  test('deletes stacks and gateway accounts', async () => {
    expect(await remove()).toEqual({
      removed: [
        ...['momo-kiosk-test-api', 'momo-kiosk-test-dashboard', 'momo-kiosk-test', 'momo-kiosk-test/gateways'],
        'momo-kiosk-test/gateways/2',
      ],
      kept: [
        ...['momo-kiosk-test', 'momo-kiosk-test.2026-11-20'].map((name) => ({
          what: `table ${name}, 2.00 GB`,
          costs_a_month: '$0.57, and $0.44 for the backups of its last 35 days',
        })),
        ...['lambda/momo-kiosk-test/customers', 'lambda/momo-kiosk-test/merchants', 'lambda/momo-kiosk-test/work'].map(
          (name) => ({ what: `log /aws/${name}`, costs_a_month: expect.stringMatching(/a gigabyte, until/) }),
        ),
        { what: 'log /aws/vendedlogs/momo-kiosk-test/api', costs_a_month: expect.any(String) },
      ],
      to_have_it_again: expect.stringMatching(/adopts its table/),
      to_be_rid_of_it: expect.any(String),
    });
    expect(stage.stacks.size + stage.secrets.size).toBe(0);
    expect(0.57 + 0.44).toBeCloseTo(2 * PRICES.storedGigabyteMonth, 2);
  });

  test('removes nothing if the typed name is wrong', async () => {
    const before = [...stage.functions];
    for (const typed of ['', 'TEST', 'y', 'test2'])
      await expect(remove({ typed })).rejects.toThrow(/does not match the stage, so nothing was removed/);
    expect({ stacks: stage.stacks.size, functions: [...stage.functions] }).toEqual({
      stacks: PARTS.length,
      functions: before,
    });
    const nouns = createProgram(async () => deployment()).commands;
    const verbs = nouns.find((noun) => noun.name() === 'stage')?.commands;
    const options = verbs?.find((verb) => verb.name() === 'remove');
    expect(options?.options.map(({ long }) => long)).toEqual(['--stage', '--json']);
  });

  test('can be repeated after any interruption', async () => {
    expect(await timesUntilDone(remove)).toBeGreaterThan(10);
    expect(stage.stacks.size + stage.secrets.size).toBe(0);
  });

  test('reports that nothing is left', async () => {
    await remove();
    const { table } = deploymentOf(world);
    const send = async () => ({ TableNames: ['another'] });
    const client = Object.assign(new DynamoDBClient({ region: 'x' }), { send });
    const elsewhere = { ...deployment(), table: { ...table, client } };
    const removed = removeStage(elsewhere, { ask: async () => 'test', progress: quiet });
    await expect(removed).rejects.toThrow(/Check the AWS region/);
  });

  test('reports why AWS could not delete a stack', async () => {
    const { deleteStack } = stage.aws;
    stage.aws.deleteStack = async (part = OWN) => void stage.stacks.set(part, 'DELETE_FAILED');
    await expect(remove()).rejects.toThrow(/could not delete the stack momo-kiosk-test-api \(a queue is in use\.?\)/);
    stage.aws.deleteStack = deleteStack;
    await remove();
    expect(stage.stacks.size).toBe(0);
  });

  describe('with unfinished work', () => {
    let shop: Shop;
    beforeEach(async () => {
      shop = await world.createShop();
    });

    test('fails if a charge can still be paid', async () => {
      const reference = await openCharge();
      await refused(/has 1 open charge, so nothing was removed/);
      await world.call('transaction/cancel', { key: shop.liveKey, parameters: { reference } });
      await remove();
    });

    test('fails if a recent text was not recognised', async () => {
      await shop.arrive({ sender: 'MobileMoney', text: 'Payment received in a wording that is new.' });
      await refused(/has 1 text from wallets in the last day that were not read/);
      world.clock.nowMs += 25 * 60 * 60 * 1000;
      await remove();
    });

    test('stops if a charge is created after the prompt', async () => {
      const asked = async () => {
        await openCharge();
        return 'test';
      };
      await expect(removeStage(deployment(), { ask: asked, progress: quiet })).rejects.toThrow(
        /has 1 open charge.* The stage is stopped\. Let them finish with: stage start --stage test$/,
      );
      expect(stage.stacks.size).toBe(PARTS.length);
    });

    test('still removes a stage that keeps no data', async () => {
      await openCharge();
      expect(await remove({ keepsData: false })).not.toHaveProperty('kept');
      expect(stage.stacks.size).toBe(0);
    });

    async function openCharge(): Promise<string> {
      const reference = await shop.charge({ amount: 36 });
      await world.followChanges();
      return reference;
    }

    async function refused(message: RegExp) {
      let isAsked = false;
      const ask = async () => {
        isAsked = true;
        return 'test';
      };
      await expect(removeStage(deployment(), { ask, progress: quiet })).rejects.toThrow(message);
      expect({ isAsked, stacks: stage.stacks.size, reserved: reserved('sms-send') }).toEqual({
        isAsked: false,
        stacks: PARTS.length,
        reserved: undefined,
      });
    }
  });
});

function remove({ typed = 'test', keepsData = true } = {}) {
  return removeStage(deployment(keepsData), { ask: async () => typed, progress: quiet });
}

/** Returns how often a command must be run if every run is interrupted after five changes. */
async function timesUntilDone(command: () => Promise<unknown>): Promise<number> {
  for (let times = 1; ; times++) {
    stage.callsLeft = 5;
    const [{ status }] = await Promise.allSettled([command()]);
    if (status === 'fulfilled') return times;
  }
}

function limit(id: string, executions: number): void {
  const fn = stage.functions.get(id);
  if (fn) stage.functions.set(id, { ...fn, reserved: executions });
}

function deployed(): Deployed {
  const functionOf = (id: string) => ({ arn: `arn:${id}`, reserved: undefined, beforeStop: undefined });
  const ids = Object.keys(service.functions).map(idOf);
  const functions = new Map<string, DeployedFunction>(ids.map((id) => [id, functionOf(id)]));
  const stacks = new Map(PARTS.map((part) => [part, 'UPDATE_COMPLETE']));
  const secrets = new Set(['momo-kiosk-test/gateways', 'momo-kiosk-test/gateways/2']);
  const change = (id: string, what: Partial<DeployedFunction>) => {
    const fn = functions.get(id);
    if (!fn) throw new Error(`There is no function ${id}`);
    functions.set(id, { ...fn, ...what });
  };
  const counted = () => {
    if (made.callsLeft-- <= 0) throw new Error('Interrupted');
  };
  const made: Deployed = {
    functions,
    stacks,
    secrets,
    callsLeft: Number.POSITIVE_INFINITY,
    aws: healthyAws({
      stack: async (part = OWN) => {
        const status = stacks.get(part);
        // AWS deletes a stack asynchronously.
        if (status === 'DELETE_IN_PROGRESS') stacks.delete(part);
        return status === undefined ? undefined : { status, reason: 'a queue is in use', outputs: {} };
      },
      deleteStack: async (part = OWN) => {
        counted();
        if (part === OWN && stacks.size > 1) throw new Error('Others use it');
        stacks.set(part, 'DELETE_IN_PROGRESS');
      },
      deployedFunction: async (id) => functions.get(id),
      reserve: async (id, executions) => {
        counted();
        change(id, { reserved: executions });
      },
      noteBeforeStop: async ({ arn }, value) => {
        counted();
        change(arn.replace('arn:', ''), { beforeStop: value });
      },
      deleteGatewayAccounts: async () => {
        counted();
        const deleted = [...secrets];
        secrets.clear();
        return deleted;
      },
    }),
  };
  return made;
}
