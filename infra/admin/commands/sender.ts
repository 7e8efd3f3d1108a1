import { type Command, Option } from 'commander';
import { anyNetwork, type Network } from '../../../shared/ghana/network.ts';
import { removeSender } from '../../../shared/merchants/merchant/senders.ts';
import { addSender, otherInSim, simTaken, switchSender } from '../../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR } from '../../../shared/phones/sender/sender.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { inForce, run, runNoted, verb } from '../command.ts';
import { GATEWAY, network, phoneNumber, positiveInteger } from '../options.ts';

const NUMBER = new Option('--number <number>', 'the phone number').argParser(phoneNumber).makeOptionMandatory();

export function addSenderCommands(program: Command): void {
  const sender = program.command('sender').description('the numbers in the phones, which send texts and are paid on');

  verb(sender, 'add', 'add a number, or move it to another phone or SIM', [
    NUMBER,
    new Option('--network <network>', anyNetwork()).argParser(network).makeOptionMandatory(),
    GATEWAY,
    new Option('--device <id>', "the phone's id at the gateway").makeOptionMandatory(),
    new Option('--sim <slot>', 'the SIM slot, from 1').argParser(positiveInteger).makeOptionMandatory(),
    new Option(
      '--per-hour <texts>',
      `the maximum number of texts sent in an hour; carriers allow 30 to 200 (for a new number: ${DEFAULT_MESSAGES_PER_HOUR})`,
    ).argParser(positiveInteger),
    new Option('--receive-only', 'it is in this SIM to be paid on, and sends no texts (sender enable: it sends, too)'),
  ]).action(
    runNoted(
      'sender add',
      ({ number, perHour, receiveOnly }) => ({
        about: number,
        after: { per_hour: perHour, receives_only: receiveOnly },
      }),
      async (outside, options: SenderOptions) => {
        const { number, network, gateway, device: device_id, sim: sim_number, perHour: messages_per_hour } = options;
        const receives_only = options.receiveOnly;
        const place = { number, network, gateway, device_id, sim_number };
        const other = await otherInSim(outside, place);
        if (other) {
          throw new OperatorError(`${simTaken(place, other)}: sender add --number ${other.number} …`);
        }
        return inForce(outside, await addSender(outside, { ...place, messages_per_hour, receives_only }));
      },
    ),
  );

  verb(sender, 'list', 'show all senders').action(run(async (outside) => ({ senders: await listSenders(outside) })));

  verb(sender, 'enable', 'allow texts from a number', [NUMBER]).action(
    runNoted(
      'sender enable',
      ({ number }) => ({ about: number }),
      async (outside, options: { merchant?: never; number: string }) =>
        inForce(outside, await switchSender(outside, options.number, true)),
    ),
  );

  verb(sender, 'disable', 'allow no new texts from a number', [NUMBER]).action(
    runNoted(
      'sender disable',
      ({ number }) => ({ about: number }),
      async (outside, options: { merchant?: never; number: string }) =>
        inForce(outside, await switchSender(outside, options.number, false)),
    ),
  );

  verb(sender, 'remove', 'remove a number that is disabled; texts that still wait on it fail and are refunded', [
    NUMBER,
  ]).action(
    runNoted(
      'sender remove',
      ({ number }) => ({ about: number }),
      async (outside, { number }: { merchant?: never; number: string }) => {
        await outside.table.write(await removeSender(outside, number));
        return inForce(outside, { number });
      },
    ),
  );
}

interface SenderOptions {
  merchant?: never;
  number: string;
  network: Network;
  gateway: string;
  device: string;
  sim: number;
  perHour: number;
  receiveOnly?: boolean;
}
