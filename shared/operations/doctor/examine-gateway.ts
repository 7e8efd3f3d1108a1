import type * as z from 'zod';
import type { GatewayAccount } from '../../phones/gateway/accounts.ts';
import {
  askSmsgate,
  CLOCK_TOLERANCE_MS,
  callbackUrl,
  Devices,
  EVENTS,
  hearClock,
  isReport,
  Webhooks,
} from '../../phones/gateway/ask-smsgate.ts';
import { type Phone as HeardPhone, listPhones } from '../../phones/gateway/phone.table.ts';
import { listRefused, type RefusedCallback } from '../../phones/gateway/refused-callback.table.ts';
import { isLate, isSilent, NOT_SEEN_MS } from '../../phones/sender/phone-silence.ts';
import { isAvailable, isInUse, type Sender } from '../../phones/sender/sender.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { Deployment } from '../../runtime/stage/deployment.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { counted } from '../../runtime/values/counted.ts';
import { type Finding, fine, found, notHere, shellWord, wrong } from './finding.ts';

interface ExaminedGateway {
  readonly phones: readonly Phone[];
  readonly findings: readonly Finding[];
}

/**
 * Checks the phones and webhooks of a gateway account without changing anything.
 * @throws OperatorError if the gateway's response is unusable.
 */
export async function examineGateway(
  deployment: Deployment,
  gateway: string,
  account: GatewayAccount,
  senders: readonly Sender[],
): Promise<ExaminedGateway> {
  const { outside } = deployment;
  const url = await callbackUrl(deployment, gateway);
  const clock = hearClock(outside.fetch, outside.now);
  const { devices, webhooks } = await askSmsgate(clock, gateway, account, async (client) => ({
    devices: Devices.parse(await client.getDevices()),
    webhooks: Webhooks.parse(await client.getWebhooks()),
  }));
  const here = senders.filter((sender) => sender.gateway === gateway);
  const phones = devices.map((device) => describePhone(device, account, here));
  const nowMs = { gateway: outside.now() + (clock.aheadMs() ?? 0), service: outside.now() };
  const heard = await heardOf(deployment, gateway);
  const inUse = phones.filter((phone) => phone.senders.length > 0);
  // Ignore phones without senders, which may be out of use, unless no phone has a sender.
  const examined = inUse.length > 0 ? inUse : phones.slice(0, 1);
  const findings = found(
    answering(gateway, account, phones),
    wrongClock(gateway, clock.aheadMs()),
    ...examined.map((phone) => examinePhone(gateway, phone, { phones, senders: here, nowMs, heard })),
    ...here.map((sender) => examineSim(sender, devices)),
    examineWebhooks(gateway, url, webhooks),
  );
  return { phones, findings: found(findings, heldBack(here, findings)) };
}

async function heardOf({ outside }: Deployment, gateway: string): Promise<Heard> {
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
  return wrong(`The gateway ${gateway} accepts the user ${account.username} but has no phone.`, WITHOUT_PHONE);
}

export const WITHOUT_PHONE =
  'Open SMSGate on the phone, switch Cloud Server on, sign in as this user and tap Offline, so that it says Online.';

/** Reports a gateway whose clock is wrong, because housekeeping relies on the gateway's times of last contact. */
function wrongClock(gateway: string, aheadMs = 0): Finding | undefined {
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return undefined;
  const by = `${Math.round(Math.abs(aheadMs) / MINUTE_MS)} minutes ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  return wrong(
    `The clock of the gateway ${gateway} is ${by}, so phones that are on may seem to be off, and vice versa.`,
    'Turn on automatic time on the SMSGate server with: timedatectl set-ntp true',
  );
}

function examineSim(
  { number, network, gateway, device_id, sim_number }: Sender,
  devices: z.infer<typeof Devices>,
): Finding | undefined {
  if (devices.length === 0) return undefined;
  const move = `sender add --number ${number} --network ${network} --gateway ${gateway}`;
  const device = devices.find(({ id }) => id === device_id);
  if (!device) {
    return wrong(
      `The sender ${number} uses the phone ${device_id}, which the gateway ${gateway} does not have. The sender’s texts are rejected, and payments to this number are not recognised.`,
      `Move it to one of the gateway’s phones (${devices.map(({ id }) => id).join(', ')}) with: ${move} --device ID --sim ${sim_number}`,
    );
  }
  const sims = (device.simCards ?? []).map(({ simNumber }) => simNumber);
  if (sims.length === 0 || sims.includes(sim_number)) return undefined;
  return wrong(
    `The sender ${number} uses SIM ${sim_number} of the phone ${device_id}, which reports only SIM ${sims.join(' and ')}, so its texts are rejected.`,
    `Check that the SIM is in its slot and switched on. If it is in another slot, run: ${move} --device ${device_id} --sim ${sims[0]}`,
  );
}

function examineWebhooks(gateway: string, url: string, webhooks: z.infer<typeof Webhooks>): Finding {
  const todo = `Register them with: gateway connect --gateway ${gateway}`;
  const missing = EVENTS.filter(
    (event) => !webhooks.some((one) => one.event === event && one.url === url && !one.deviceId),
  );
  if (missing.length > 0) {
    return wrong(
      `The gateway ${gateway} has no webhook to ${url} for ${missing.join(', ')}, so its phones do not report these events.`,
      todo,
    );
  }
  const reports = new Set(webhooks.filter((one) => isReport(one, url)).map(({ event }) => event));
  if (reports.size === 0) return fine(`The gateway ${gateway} has its ${EVENTS.length} webhooks to ${url}.`);
  return wrong(
    `The phones of the gateway ${gateway} post ${[...reports].join(', ')} for each text, in sequence. A payment is recognised only after all earlier callbacks have arrived.`,
    `Make them post only the events that this service needs with: gateway connect --gateway ${gateway}`,
  );
}

/** Reports senders that are still held back although their phones work again. */
function heldBack(senders: readonly Sender[], findings: readonly Finding[]): Finding | undefined {
  if (findings.some(({ state }) => state === 'wrong')) return undefined;
  const held = senders.filter((sender) => sender.enabled && !isAvailable(sender)).map(({ number }) => number);
  if (held.length === 0) return undefined;
  return wrong(
    `Housekeeping still holds back ${held.join(', ')}, although the phone and the gateway work again.`,
    'It releases them within a minute, so run this again. If it does not, its log shows the reason.',
    { symptomOf: ['what housekeeping does'] },
  );
}

interface Phone {
  readonly id: string;
  readonly name: string;
  readonly last_seen: string;
  readonly senders: readonly string[];
  readonly signing_key: 'set' | 'missing';
}

interface Account {
  readonly phones: readonly Phone[];
  readonly senders: readonly Sender[];
  /**
   * The current time in ms according to two clocks: the gateway's for last contacts, and the service's for callbacks.
   */
  readonly nowMs: { readonly gateway: number; readonly service: number };
  readonly heard: Heard;
}

interface Heard {
  readonly phones: readonly HeardPhone[];
  /** Time at which pings were configured, in epoch milliseconds. Undefined if they never were. */
  readonly pingsSinceMs: number | undefined;
  readonly refused: readonly RefusedCallback[];
}

function examinePhone(gateway: string, phone: Phone, account: Account): Finding[] {
  const agoMs = account.nowMs.gateway - Date.parse(phone.last_seen);
  if (!(agoMs <= NOT_SEEN_MS)) return [notSeen(gateway, phone, account)];
  const ago = `${nameOf(phone)} was seen ${Math.max(0, Math.round(agoMs / MINUTE_MS))} minutes ago`;
  const isHeard = account.heard.phones.some(({ device_id }) => device_id === phone.id);
  const seen = isHeard
    ? fine(`${ago}.`)
    : notHere(`${ago} by its gateway, but no signed callback has arrived here yet.`);
  if (phone.signing_key === 'missing') return [seen, withoutKey(gateway, phone)];
  return found(seen, notHeard(gateway, phone, account) ?? behindStamps(phone, account));
}

/** Reports a phone whose texts arrive long after their time stamps. */
function behindStamps(phone: Phone, { heard, nowMs }: Account): Finding | undefined {
  const known = heard.phones.find(({ device_id }) => device_id === phone.id);
  if (!known?.late || !isLate({ now: () => nowMs.service }, known)) return undefined;
  const { at_ms, delay_ms } = known.late;
  return wrong(
    `The texts of ${nameOf(phone).replace('The', 'the')} lag behind. The text that arrived at ${isoOf(at_ms)} had a time stamp ${Math.round(delay_ms / MINUTE_MS)} minutes earlier. Payments with a reference count, but others may not be matched or shown at a till.`,
    'Text the phone. If it shows the text at once with an old time, the network’s time is wrong: ask customers to type the reference. Otherwise, exempt SMSGate from battery saving, and check the connection.',
  );
}

function notHeard(gateway: string, phone: Phone, { heard, nowMs, senders }: Account): Finding | undefined {
  const known = heard.phones.find(({ device_id }) => device_id === phone.id);
  const heardMs = known?.heard_ms ?? 0;
  const [refused] = heard.refused
    .filter(({ device_id, last_at }) => device_id === phone.id && Date.parse(last_at) > heardMs)
    .toSorted((one, other) => other.last_at.localeCompare(one.last_at));
  if (refused?.reason === 'wrong_signature') return otherKey(gateway, phone);
  if (refused?.reason === 'unknown_device') return refusedBefore(phone, refused.last_at);
  if (refused?.reason === 'clock') return wrongPhoneClock(phone, refused.skew_seconds ?? 0);
  const isPhones = (sender: Sender) => isInUse(sender) && sender.device_id === phone.id;
  const now = () => nowMs.service;
  if (!senders.some((sender) => isPhones(sender) && isSilent({ now }, sender, known, heard.pingsSinceMs)))
    return undefined;
  return wrong(
    `${nameOf(phone)} is online, but no signed callback has arrived ${known ? `since ${isoOf(heardMs)}` : 'so far'}. Payments are not recognised.`,
    'In the app, Settings → Ping must be on, with 300 seconds. Then restart the app, and check that Android does not restrict it to save battery.',
  );
}

function otherKey(gateway: string, phone: Phone): Finding {
  return wrong(
    `${nameOf(phone)} signs with a different key from the one stored here. Its callbacks are rejected, so payments are not recognised.`,
    `Copy the key from the app (Settings → Webhooks → Signing Key), and store it with: gateway set-signing-key --gateway ${gateway} --device ${shellWord(phone.id)}. The key takes effect within ten seconds, and the phone retries rejected callbacks.`,
  );
}

/** Reports callbacks that were rejected before the phone's signing key was stored. */
function refusedBefore(phone: Phone, lastAt: string): Finding {
  return wrong(
    `Posts from ${nameOf(phone).replace('The', 'the')} until ${lastAt} were rejected, because its signing key was not stored here yet. Nothing has arrived since.`,
    'Its key is stored now. The phone pings every five minutes and retries rejected callbacks, so run this again in a few minutes.',
  );
}

function wrongPhoneClock(phone: Phone, skewSeconds: number): Finding {
  const by = `${Math.round(Math.abs(skewSeconds) / 60)} minutes ${skewSeconds > 0 ? 'ahead' : 'behind'}`;
  return wrong(
    `The clock of ${nameOf(phone).replace('The', 'the')} is ${by}. Its callbacks are rejected, so payments are not recognised.`,
    'On the phone, turn on automatic time under Settings → System → Date & time. The phone retries rejected callbacks.',
    { symptomOf: ['clocks of phones'] },
  );
}

/** Reports a phone that is off, or whose app was reinstalled. A reinstalled app appears as a second phone. */
function notSeen(gateway: string, phone: Phone, { phones, senders, nowMs: { gateway: nowMs } }: Account): Finding {
  const message = `${nameOf(phone)} has not been seen since ${phone.last_seen}. No texts are sent and no payments are recognised.`;
  const isNew = (other: Phone) => other.senders.length === 0 && nowMs - Date.parse(other.last_seen) <= NOT_SEEN_MS;
  const replacement = phones.find(isNew);
  const checkIt =
    'Check that it is on and online, that SMSGate says Online, and that Android does not restrict the app to save battery. Settings → Ping with 300 seconds keeps it connected.';
  if (!replacement) return wrong(message, checkIt);
  const moves = senders
    .filter(({ device_id }) => device_id === phone.id)
    .map(
      ({ number, network, sim_number }) =>
        `sender add --number ${number} --network ${network} --gateway ${gateway} --device ${shellWord(replacement.id)} --sim ${sim_number}`,
    );
  return wrong(
    `${message} The account has another phone that is online and has no sender: ${replacement.name || 'no name'} (${replacement.id}).`,
    `If the app was reinstalled or the phone was replaced, use that phone with: gateway set-signing-key --gateway ${gateway} --device ${shellWord(replacement.id)}, then ${moves.join(', ')}. Otherwise: ${checkIt}`,
  );
}

function withoutKey(gateway: string, phone: Phone): Finding {
  return wrong(
    `${nameOf(phone)} has no signing key here, so its callbacks are rejected.`,
    `Copy the key from the app (Settings → Webhooks → Signing Key) and store it with: gateway set-signing-key --gateway ${gateway} --device ${shellWord(phone.id)}`,
  );
}

function nameOf({ id, name }: Phone): string {
  return `The phone ${name ? `${name} (${id})` : id}`;
}
