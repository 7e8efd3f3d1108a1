import { expect, test } from 'vitest';
import { addSender, otherInSim, requireSender } from '../../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { switchSender } from '../../support/actions.ts';
import { scene } from '../../support/scene.ts';
import { createSender } from '../../support/world.ts';

const NUMBER = '+233241234567';

test('adding an existing sender updates its phone and enables it', async () => {
  const world = await scene();
  await world.createSender(NUMBER);
  await world.switchSender(NUMBER, false);
  await world.addSender({ number: NUMBER, network: 'AT', gateway: 'spare', device_id: 'new', sim_number: 2 });
  expect(await listSenders(world.outside)).toMatchObject([
    {
      number: NUMBER,
      network: 'AT',
      gateway: 'spare',
      device_id: 'new',
      sim_number: 2,
      enabled: true,
      messages_per_hour: 100_000,
    },
  ]);
});

test('a SIM already used by another number is rejected', async () => {
  const { outside, ...world } = await scene({ inMemory: true });
  await createSender({ outside, ...world }, NUMBER);
  const place = { number: '+233209999999', gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  const senders = await listSenders(outside);
  expect(otherInSim(senders, place)).toMatchObject({ number: NUMBER });
  expect(otherInSim(senders, { ...place, sim_number: 2 })).toBeUndefined();
  expect(otherInSim(senders, { ...place, device_id: 'device-2' })).toBeUndefined();
  expect(otherInSim(senders, { ...place, gateway: 'spare' })).toBeUndefined();
  expect(otherInSim(senders, { ...place, number: NUMBER })).toBeUndefined();
});

test('an unknown sender is reported', async () => {
  const { outside } = await scene({ inMemory: true });
  const refusal = { noun: 'sender', message: `There is no sender ${NUMBER}.` };
  await expect(switchSender(outside, NUMBER, true)).rejects.toMatchObject(refusal);
  await expect(requireSender(outside, NUMBER)).rejects.toMatchObject(refusal);
  await addSender(outside, { number: NUMBER, network: 'MTN', gateway: 'phone', device_id: 'device', sim_number: 1 });
  await requireSender(outside, NUMBER);
});
