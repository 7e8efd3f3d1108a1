import { failingSenders } from '../../../phones/sender/report-senders.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { isAvailable, type Sender, sameSim } from '../../../phones/sender/sender.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { listOutcomes } from '../../../runtime/table/recent-outcomes.ts';
import { type Finding, fine, found, notHere, wrong } from '../finding.ts';

export async function checkSenders({ outside }: Deployment): Promise<Finding[]> {
  const senders = await listSenders(outside);
  const [first] = senders;
  if (!first) {
    return [
      wrong(
        'There are no senders. Texts are rejected and payments are held, because no phone has a number.',
        'sender add --number NUMBER --network NETWORK --gateway phone --device DEVICE --sim SLOT',
        { explains: ['no sender'] },
      ),
    ];
  }
  const failing = failingSenders(senders, await listOutcomes(outside));
  return found(
    ...senders.map(examine),
    ...senders.map((sender) => crowded(sender, senders)),
    ...failing.map(withoutAirtime),
    !senders.some(({ enabled }) => enabled) &&
      wrong(
        'No number can send. Every text is rejected with 503, and no code reaches a customer.',
        `Enable at least one with: sender enable --number ${first.number}`,
      ),
  );
}

/** Reports two numbers on one SIM. If the phone does not report the paid number, a receipt could belong to either. */
function crowded(sender: Sender, senders: readonly Sender[]): Finding | undefined {
  const other = senders.find((one) => one.number < sender.number && sameSim(one, sender));
  if (!other) return undefined;
  return wrong(
    `The senders ${other.number} and ${sender.number} are assigned to the same SIM, so payments to either might not be recognised.`,
    `Correct the wrong one with: sender add --number ${sender.number} --network ${sender.network} --gateway ${sender.gateway} --device ID --sim SLOT`,
  );
}

function withoutAirtime({ number, sim_number, device_id }: Sender): Finding {
  return wrong(
    `At least half of the last ten texts from ${number} failed and were refunded.`,
    `Send a text by hand from SIM ${sim_number} of the phone ${device_id}. The SIM may have no airtime, or the network may block it. Until the SIM works, run: sender disable --number ${number}`,
  );
}

function examine(sender: Sender): Finding {
  const { number, enabled, receives_only, full_until_ms = {} } = sender;
  if (receives_only) return fine(`The number ${number} only receives.`);
  if (!enabled) return notHere(`The sender ${number} is disabled.`);
  if (!isAvailable(sender)) {
    return notHere(`The sender ${number} does not accept texts at present.`);
  }
  const merchants = Object.keys(full_until_ms);
  if (merchants.length === 0) return fine(`The sender ${number} can send.`);
  return fine(
    `The sender ${number} can send, but accepts no more texts from ${merchants.join(', ')} until fewer of their texts are waiting than it sends in a day. Add a sender, or raise --per-hour.`,
  );
}
