import { listMerchants } from '../../../merchants/merchant/merchant.table.ts';
import { listPhones } from '../../../phones/gateway/phone.table.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { isAvailable, type Sender } from '../../../phones/sender/sender.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import {
  type Hearing,
  type HearingPhone,
  hearingOf,
  isUnreachable,
  lastHeardMs,
} from '../../../wallets/wallet/hearing.table.ts';
import { type Finding, fine, notHere, wrong } from '../finding.ts';

/**
 * A phone is reported if it has received none of a wallet's texts for this long, although another phone has received
 * some.
 */
const MISSED_MS = DAY_MS;

/** Checks that each wallet's phone receives the wallet's texts. */
export async function checkHearing({ outside }: Deployment): Promise<Finding[]> {
  const paid = new Set(
    (await listMerchants(outside)).flatMap(({ momo_accounts }) => momo_accounts.map(({ number }) => number)),
  );
  const senders = (await listSenders(outside)).filter((sender) => paid.has(sender.number) && isAvailable(sender));
  const hearings = await hearingOf(
    outside,
    senders.map(({ number }) => number),
  );
  const { phones } = await listPhones(outside);
  const isAlive = ({ gateway, device_id }: HearingPhone) =>
    phones.some(
      (phone) =>
        phone.gateway === gateway && phone.device_id === device_id && outside.now() - phone.heard_ms < MISSED_MS,
    );
  return senders.flatMap((sender, n) => {
    const hearing = hearings[n];
    return hearing ? examine(sender, hearing, isAlive) : [];
  });
}

function examine(sender: Sender, hearing: Hearing, isAlive: (phone: HearingPhone) => boolean): Finding[] {
  const { canary, phones, test } = hearing;
  if (isUnreachable(hearing, sender)) return [deaf(sender, hearing)];
  const silent = silentPhones(sender, phones).filter(isAlive);
  const unsent =
    test?.state === 'not_sent' && Date.parse(test.started_at) > lastHeardMs(phones) ? [notSent(sender)] : [];
  const untested = canary ? [] : [notHere(`No test texts are sent to ${sender.number}.`)];
  const problems = [...silent.map((phone) => silentPhone(phone, phones)), ...unsent];
  return [...(problems.length > 0 ? problems : [heard(hearing)]), ...untested];
}

function silentPhones(sender: Sender, phones: readonly HearingPhone[]): HearingPhone[] {
  const inUseSince = sender.in_use_since;
  return phones.filter((phone) => {
    const isIts = phone.gateway === sender.gateway && phone.device_id === sender.device_id;
    if (!isIts && phone.heard_at < inUseSince) return false;
    const sinceMs = Math.max(Date.parse(phone.heard_at), isIts ? Date.parse(inUseSince) : 0);
    return lastHeardMs(phones) - sinceMs > MISSED_MS;
  });
}

const RUNBOOK = 'docs/operate/runbooks.md, "Repair a phone that misses texts".';

function deaf({ number, device_id, gateway }: Sender, { phones, test }: Hearing): Finding {
  const [last] = phones;
  const returned = test?.returned_at
    ? ' The last test text was in the phone’s inbox, so the SIM receives texts but the app misses them.'
    : '';
  return wrong(
    `The phone ${device_id} of the gateway ${gateway} sends but does not receive. It posted none of the last ${test?.misses} test texts to ${number}, and ${last ? `no text from that wallet since ${last.heard_at}` : 'has never posted a text from that wallet'}. Payments to it are not recognised.${returned}`,
    `On the phone, force-stop SMSGate and start it again, allow it to read SMS, and exempt it from battery saving. Then follow ${RUNBOOK}`,
  );
}

function silentPhone({ number, device_id, gateway, heard_at }: HearingPhone, phones: readonly HearingPhone[]): Finding {
  return wrong(
    `${phones.length} phones receive texts from the wallet ${number}, but the phone ${device_id} of the gateway ${gateway} has posted none of these texts since ${heard_at}.`,
    `If this phone should still receive the wallet’s texts, follow ${RUNBOOK}`,
  );
}

function notSent({ number, device_id, sim_number }: Sender): Finding {
  return wrong(
    `The last test text to the phone with ${number} was not sent, so it is unknown whether payments to this number are recognised.`,
    `Send a text by hand from SIM ${sim_number} of the phone ${device_id}, because the SIM may have no airtime. The test is repeated automatically.`,
  );
}

function heard({ number, phones, test }: Hearing): Finding {
  const [last] = phones;
  if (last)
    return fine(`Texts from the wallet ${number} are received by ${counted(phones.length)}, last at ${last.heard_at}.`);
  if (test?.heard_at) return fine(`The phone of ${number} received its last test text at ${test.heard_at}.`);
  return notHere(`No text from the wallet ${number} has been received yet.`);
}

function counted(phones: number): string {
  return phones === 1 ? 'one phone' : `${phones} phones`;
}
