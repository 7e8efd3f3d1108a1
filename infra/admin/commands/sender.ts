import { anyNetwork } from '../../../shared/ghana/network.ts';
import { prepareOwner, preparePlacing, prepareRemoval } from '../../../shared/merchants/merchant/senders.ts';
import {
  NOBODY,
  otherInSim,
  prepareSwitch,
  requireSender,
  simTaken,
} from '../../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR } from '../../../shared/phones/sender/sender.ts';
import { senderFields } from '../../../shared/phones/sender/sender-fields.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { countOthersWaiting } from '../../../shared/texts/sms/waiting-texts.ts';
import { changeVerb, inForce, noun, optional, required, type Verb, verb } from '../command.ts';
import { GATEWAY, network, phoneNumber, read } from '../options.ts';

const NUMBER = required('<number>', 'the phone number', phoneNumber);

const SENDERS_A_PAGE = 100;

export const senders = noun('sender', 'the phone numbers that send texts and receive payments', {
  add: changeVerb(
    'add a number, or move it to another phone or SIM',
    {
      number: NUMBER,
      network: required('<network>', anyNetwork(), network),
      gateway: GATEWAY,
      device: required('<id>', "the phone's id at the gateway", read(senderFields.device)),
      sim: required('<slot>', 'the SIM slot, from 1', read(senderFields.sim)),
      perHour: optional(
        '<texts>',
        `the maximum number of texts sent in an hour; carriers allow 30 to 200 (for a new number: ${DEFAULT_MESSAGES_PER_HOUR})`,
        read(senderFields.per_hour),
      ),
      receiveOnly: {
        description: 'the number only receives payments and sends no texts (sender enable lets it send)',
      },
      owner: optional(
        `<id or ${NOBODY}>`,
        `the merchant that owns the number: only this merchant sends from it and gets its replies; ${NOBODY} if merchants share the number, in which case replies are not kept (for a new number: the only merchant; required if there are several)`,
        String,
      ),
    },
    async (outside, { number, network, gateway, device: device_id, sim: sim_number, owner, perHour, receiveOnly }) => {
      const place = { number, network, gateway, device_id, sim_number };
      const other = otherInSim(await listSenders(outside), place);
      if (other) throw new OperatorError(`${simTaken(place, other)}: sender add --number ${other.number} …`);
      return preparePlacing(outside, { ...place, messages_per_hour: perHour, receives_only: receiveOnly, owner });
    },
    ({ sender }, outside) => inForce(outside, sender),
  ),
  list: verb(
    'list the numbers in phones, in numerical order',
    { after: optional('<number>', 'the last number of the previous page', phoneNumber) },
    async ({ outside }, { after = '' }) => {
      const rest = (await listSenders(outside)).filter(({ number }) => number > after);
      const page = rest.slice(0, SENDERS_A_PAGE);
      const more = rest.length > page.length && { more: `sender list --after ${page.at(-1)?.number}` };
      return { senders: page, ...more };
    },
  ),
  enable: switching('accept texts from a number', true),
  disable: switching('stop accepting new texts from a number', false),
  owner: changeVerb(
    'set the owner of a number: only this merchant sends from it and gets its replies; waiting texts from other merchants are sent from another of their numbers, or refunded',
    {
      number: NUMBER,
      merchant: required(
        `<id or ${NOBODY}>`,
        `the merchant; ${NOBODY} if merchants share the number, in which case replies are not kept`,
        String,
      ),
    },
    async (outside, { number, merchant }) => prepareOwner(outside, number, merchant),
    async ({ number, owner }, outside) => {
      const sender = await requireSender(outside, number);
      // Counts other merchants' waiting texts. These texts move to a different sender, or fail and are refunded.
      const waiting = owner === NOBODY ? 0 : await countOthersWaiting(outside, number, owner);
      return inForce(outside, { ...sender, ...(owner !== NOBODY && { texts_of_others_waiting: waiting }) });
    },
  ),
  remove: changeVerb(
    'remove a disabled number; its waiting texts fail and are refunded',
    { number: NUMBER },
    (outside, { number }) => prepareRemoval(outside, number),
    ({ number }, outside) => inForce(outside, { number }),
  ),
});

function switching(description: string, enabled: boolean): Verb {
  return changeVerb(
    description,
    { number: NUMBER },
    (outside, { number }) => prepareSwitch(outside, number, enabled),
    ({ sender }, outside) => inForce(outside, sender),
  );
}
