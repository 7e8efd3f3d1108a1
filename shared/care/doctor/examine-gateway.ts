import type * as z from 'zod';
import type { GatewayAccount } from '../../phones/gateway/accounts.ts';
import { askSmsgate, Devices, Webhooks } from '../../phones/gateway/ask-smsgate.ts';
import { callbackUrl, EVENTS, isReport } from '../../phones/gateway/gateway-webhooks.ts';
import { CLOCK_TOLERANCE_MS, hearClock } from '../../phones/gateway/heard-clock.ts';
import { listPhones } from '../../phones/gateway/phone.table.ts';
import { listRefused } from '../../phones/gateway/refused-callback.table.ts';
import { isAvailable, type Sender } from '../../phones/sender/sender.ts';
import type { Place } from '../../runtime/stage/place.ts';
import { counted } from '../../runtime/values/counted.ts';
import { examinePhone, type Heard, type Phone } from './examine-phone.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** A gateway account as its server shows it, and what is wrong with it. */
export interface ExaminedGateway {
  readonly phones: readonly Phone[];
  readonly findings: readonly Finding[];
}

/**
 * Checks an account's phones and webhooks and changes nothing.
 * @throws OperatorError if the gateway gives no usable answer.
 */
export async function examineGateway(
  place: Place,
  gateway: string,
  account: GatewayAccount,
  senders: readonly Sender[],
): Promise<ExaminedGateway> {
  const { outside } = place;
  const url = await callbackUrl(place, gateway);
  const clock = hearClock(outside.fetch, outside.now);
  const { devices, webhooks } = await askSmsgate(clock, gateway, account, async (client) => ({
    devices: Devices.parse(await client.getDevices()),
    webhooks: Webhooks.parse(await client.getWebhooks()),
  }));
  const here = senders.filter((sender) => sender.gateway === gateway);
  const phones = devices.map((device) => describePhone(device, account, here));
  const nowMs = { gateway: outside.now() + (clock.aheadMs() ?? 0), service: outside.now() };
  const heard = await heardOf(place, gateway);
  const inUse = phones.filter((phone) => phone.senders.length > 0);
  // A phone without senders may be out of use, unless it is the only one.
  const examined = inUse.length > 0 ? inUse : phones.slice(0, 1);
  const findings = [
    answering(gateway, account, phones),
    ...wrongClock(gateway, clock.aheadMs()),
    ...examined.flatMap((phone) => examinePhone(gateway, phone, { phones, senders: here, nowMs, heard })),
    ...(devices.length > 0 ? here.flatMap((sender) => examineSim(sender, devices)) : []),
    examineWebhooks(gateway, url, webhooks),
  ];
  return { phones, findings: [...findings, ...heldBack(here, findings)] };
}

/** What the service noted of the posts of an account's phones. */
async function heardOf({ outside }: Place, gateway: string): Promise<Heard> {
  const [{ phones, pingsSinceMs }, refused] = await Promise.all([listPhones(outside), listRefused(outside)]);
  return {
    phones: phones.filter((phone) => phone.gateway === gateway),
    pingsSinceMs: pingsSinceMs.get(gateway),
    refused: refused.filter((one) => one.gateway === gateway),
  };
}

function describePhone(
  { id, name, lastSeen }: z.infer<typeof Devices>[number],
  { signing_keys }: GatewayAccount,
  senders: readonly Sender[],
): Phone {
  const numbers = senders.filter(({ device_id }) => device_id === id).map(({ number }) => number);
  const signing_key = Object.hasOwn(signing_keys, id) && signing_keys[id] ? 'set' : 'missing';
  return { id, name: name ?? '', last_seen: lastSeen, senders: numbers, signing_key };
}

function answering(gateway: string, account: GatewayAccount, phones: readonly Phone[]): Finding {
  if (phones.length > 0) return fine(`The gateway ${gateway} responds and has ${counted(phones.length, 'phone')}.`);
  return wrong(
    `The gateway ${gateway} accepts the user ${account.username} but has no phone.`,
    'Open SMSGate on the phone, switch Cloud Server on, sign in as this user and tap Offline, so that it says Online.',
  );
}

/** Housekeeping compares the time at which the gateway saw a phone with AWS's. */
function wrongClock(gateway: string, aheadMs = 0): Finding[] {
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return [];
  const by = `${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  return [
    wrong(
      `The clock of the gateway ${gateway} is ${by}: its phones are taken for off when they are on, or the other way round.`,
      'Set the clock of the SMSGate server automatically: timedatectl set-ntp true, on that server.',
    ),
  ];
}

/** The SIM that a sender is configured to be in is there. */
function examineSim({ number, network, gateway, device_id, sim_number }: Sender, devices: z.infer<typeof Devices>) {
  const move = `sender add --number ${number} --network ${network} --gateway ${gateway}`;
  const device = devices.find(({ id }) => id === device_id);
  if (!device) {
    return [
      wrong(
        `The sender ${number} uses the phone ${device_id}, which the gateway ${gateway} does not have: its texts are refused, and payments to it are not recognised.`,
        `Move it to one of its phones (${devices.map(({ id }) => id).join(', ')}): ${move} --device ID --sim ${sim_number}`,
      ),
    ];
  }
  const sims = (device.simCards ?? []).map(({ simNumber }) => simNumber);
  if (sims.length === 0 || sims.includes(sim_number)) return [];
  return [
    wrong(
      `The sender ${number} uses SIM ${sim_number} of the phone ${device_id}, which reports only SIM ${sims.join(' and ')}: its texts are refused.`,
      `Check that the SIM is in its slot and switched on. If it is in another one: ${move} --device ${device_id} --sim ${sims[0]}`,
    ),
  ];
}

function examineWebhooks(gateway: string, url: string, webhooks: z.infer<typeof Webhooks>): Finding {
  const todo = `Register them: gateway connect --gateway ${gateway}`;
  const missing = EVENTS.filter(
    (event) => !webhooks.some((one) => one.event === event && one.url === url && !one.deviceId),
  );
  if (missing.length > 0) {
    return wrong(
      `The gateway ${gateway} has no webhook to ${url} for ${missing.join(', ')}: its phones do not report that.`,
      todo,
    );
  }
  const reports = new Set(webhooks.filter((one) => isReport(one, url)).map(({ event }) => event));
  if (reports.size === 0) return fine(`The gateway ${gateway} has its ${EVENTS.length} webhooks to ${url}.`);
  return wrong(
    `The phones of the gateway ${gateway} post ${[...reports].join(', ')} of each text, one after the other: a payment is recognised only after all that was to be posted before it.`,
    `Have them post only what this service needs: gateway connect --gateway ${gateway}`,
  );
}

/** Senders that housekeeping holds back although nothing is wrong with their phones: it has not looked since. */
function heldBack(senders: readonly Sender[], findings: readonly Finding[]): Finding[] {
  if (findings.some(({ state }) => state === 'wrong')) return [];
  const held = senders.filter((sender) => sender.enabled && !isAvailable(sender)).map(({ number }) => number);
  if (held.length === 0) return [];
  return [
    wrong(
      `Housekeeping still holds back ${held.join(', ')}, although the phone and the gateway are well again.`,
      'It releases them within a minute: run this again. If it does not, its log says why.',
      { symptomOf: ['what housekeeping does'] },
    ),
  ];
}
