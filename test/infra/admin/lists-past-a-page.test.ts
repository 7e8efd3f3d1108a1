import { expect, test } from 'vitest';
import * as z from 'zod';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { createSender, createWorld, type World } from '../../support/world.ts';

const COUNT = 230;

test.each([
  [
    'merchant',
    'merchants',
    ({ outside }: World, n: number) => addMerchant(outside, { name: `Shop ${n}`, momo_accounts: [] }),
  ],
  [
    'sender',
    'senders',
    (world: World, n: number) => createSender(world, `+2332${String(40_000_000 + n)}`, `device-${n}`),
  ],
] as const)('`%s list` prints one page and the command for the next', async (noun, field, add) => {
  const world = await createWorld({ inMemory: true });
  for (let n = 0; n < COUNT; n++) await add(world, n);
  const rows: string[] = [];
  const pages: number[] = [];
  for (let command = `${noun} list`; command !== ''; ) {
    const page = JSON.parse(await runAdmin(deploymentOf(world), [...command.split(' '), '--json']));
    const shown = z.array(z.unknown()).parse(page[field]);
    rows.push(...shown.map((one) => JSON.stringify(one)));
    pages.push(shown.length);
    command = z.string().default('').parse(page.more);
  }
  expect(pages).toEqual([100, 100, 30]);
  expect(new Set(rows).size).toBe(COUNT);
});
