import { expect, test } from 'vitest';
import { prepareRemoval } from '../../../shared/merchants/merchant/senders.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { switchSender } from '../../support/actions.ts';
import { createSender, createWorld } from '../../support/world.ts';

const NUMBER = '+233241234567';

test('a sender that is enabled again meanwhile is not removed', async () => {
  const { outside, ...world } = await createWorld({ inMemory: true });
  await createSender({ outside, ...world }, NUMBER);
  await switchSender(outside, NUMBER, false);
  const { writes } = await prepareRemoval(outside, NUMBER);
  await switchSender(outside, NUMBER, true);
  await expect(outside.table.write(writes)).rejects.toMatchObject({ code: 'busy' });
  await switchSender(outside, NUMBER, false);
  await outside.table.write(writes);
  expect(await listSenders(outside)).toEqual([]);
});
