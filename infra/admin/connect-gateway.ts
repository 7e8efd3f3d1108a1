import { createHash } from 'node:crypto';
import { WebHookEventType } from 'android-sms-gateway';
import type * as z from 'zod';
import type { GatewayAccount } from '../../shared/gateway/accounts.ts';
import { expectNoPings, expectPings } from '../../shared/gateway/phone.table.ts';
import { listSenders } from '../../shared/sender/sender.table.ts';
import type { Sender } from '../../shared/sender/sender.ts';
import { NOT_SEEN_MS } from '../../shared/sender/watch-senders.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { readAccount } from './gateway-accounts.ts';
import type { Place } from './place.ts';
import { askSmsgate, Devices, Webhooks } from './smsgate.ts';

/** The events of a phone that the service acts on. */
const EVENTS = [
  WebHookEventType.SmsReceived,
  WebHookEventType.SmsSent,
  WebHookEventType.SmsDelivered,
  WebHookEventType.SmsFailed,
  WebHookEventType.SystemPing,
];

interface Phone {
  readonly id: string;
  readonly name: string;
  readonly last_seen: string;
  /** The numbers of the senders that are configured to be in it. */
  readonly senders: readonly string[];
  readonly signing_key: 'set' | 'missing';
}

/** A gateway account as its server shows it, and why the value is not valid. */
export interface ExaminedGateway {
  readonly phones: readonly Phone[];
  readonly findings: readonly Finding[];
}

/**
 * Registers webhooks so that an account's phones post their events to this service, under stable ids, and checks the result.
 * @throws OperatorError if the gateway gives no usable answer.
 */
export async function connectGateway(
  place: Place,
  gateway: string,
): Promise<ExaminedGateway & { callback_url: string }> {
  const account = await readAccount(place, gateway);
  const callback_url = await callbackUrl(place, gateway);
  const obstacle = whyPhonesCannotPost(callback_url, account);
  if (!obstacle) await registerWebhooks(place, gateway, account, callback_url);
  const { phones, findings } = await examineGateway(place, gateway, account, await listSenders(place.outside));
  return { callback_url, phones, findings: obstacle ? [obstacle, ...findings] : findings };
}

/** Removes what `connectGateway` registered, so that the phones no longer post to this service. @throws as `connectGateway`. */
export async function disconnectGateway(place: Place, gateway: string): Promise<void> {
  const account = await readAccount(place, gateway);
  await askSmsgate(place.outside, gateway, account, async (client) => {
    const known = new Set(Webhooks.parse(await client.getWebhooks()).map(({ id }) => id));
    const ours = EVENTS.map((event) => webhookId(place.stage, gateway, event)).filter((id) => known.has(id));
    for (const id of ours) await client.deleteWebhook(id);
  });
  await expectNoPings(place.outside, gateway);
}

/** @throws as `connectGateway`. */
export async function registerWebhooks(
  { outside, stage }: Pick<Place, 'outside' | 'stage'>,
  gateway: string,
  account: GatewayAccount,
  url: string,
): Promise<void> {
  await askSmsgate(outside, gateway, account, async (client) => {
    for (const event of EVENTS) await client.registerWebhook({ id: webhookId(stage, gateway, event), url, event });
  });
  // From now on, a phone that does not ping is one that cannot.
  await expectPings(outside, gateway);
}

/** Checks an account's phones and webhooks and changes nothing. @throws as `connectGateway`. */
export async function examineGateway(
  place: Place,
  gateway: string,
  account: GatewayAccount,
  senders: readonly Sender[],
): Promise<ExaminedGateway> {
  const url = await callbackUrl(place, gateway);
  const { devices, webhooks } = await askSmsgate(place.outside, gateway, account, async (client) => ({
    devices: Devices.parse(await client.getDevices()),
    webhooks: Webhooks.parse(await client.getWebhooks()),
  }));
  const here = senders.filter((sender) => sender.gateway === gateway);
  const phones = devices.map(({ id, name, lastSeen }): Phone => {
    const numbers = here.filter(({ device_id }) => device_id === id).map(({ number }) => number);
    const signing_key = Object.hasOwn(account.signing_keys, id) && account.signing_keys[id] ? 'set' : 'missing';
    return { id, name: name ?? '', last_seen: lastSeen, senders: numbers, signing_key };
  });
  const inUse = phones.filter((phone) => phone.senders.length > 0);
  return {
    phones,
    findings: [
      answering(gateway, account, phones),
      // A phone without senders may be out of use, unless it is the only one.
      ...(inUse.length > 0 ? inUse : phones.slice(0, 1)).flatMap((phone) => examinePhone(place, gateway, phone)),
      ...here.flatMap((sender) => strayed(sender, phones)),
      examineWebhooks(gateway, url, webhooks),
    ],
  };
}

async function callbackUrl(place: Place, gateway: string): Promise<string> {
  return `${await place.baseUrl()}/callback/smsgate/${gateway}`;
}

/**
 * Its own for each stage, gateway and event, within SMSGate's 36 characters: stages and gateways may share an account, in which
 * ids are unique.
 */
function webhookId(stage: string, gateway: string, event: string): string {
  const whose = createHash('sha256').update(`${stage}/${gateway}`).digest('hex').slice(0, 12);
  return `mk-${whose}-${event.replace(/^\w+:/, '')}`;
}

/** A phone posts only to https addresses, and cannot reach a laptop. */
function whyPhonesCannotPost(url: string, account: GatewayAccount): Finding | undefined {
  if (isLoopback(url) && isLoopback(account.url)) return undefined;
  if (isLoopback(url)) {
    return wrong(
      `The phones of ${account.url} cannot reach ${url}, which is only reachable on this machine. No webhook was registered.`,
      'Deploy the service and add its stage: --stage dev',
    );
  }
  if (new URL(url).protocol === 'https:') return undefined;
  return wrong(
    `Phones post to https addresses only, and this service is at ${url}. No webhook was registered.`,
    'Deploy it with a domain and a certificate, or use the address that AWS gives it.',
  );
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function answering(gateway: string, account: GatewayAccount, phones: readonly Phone[]): Finding {
  if (phones.length > 0) return fine(`The gateway ${gateway} responds and has ${count(phones.length, 'phone')}.`);
  return wrong(
    `The gateway ${gateway} accepts the user ${account.username} but has no phone.`,
    'Open SMSGate on the phone, switch Cloud Server on, sign in as this user and tap Offline, so that it says Online.',
  );
}

function examinePhone({ outside }: Place, gateway: string, phone: Phone): Finding[] {
  const { id, name, last_seen, signing_key } = phone;
  const which = `The phone ${name ? `${name} (${id})` : id}`;
  const agoMs = outside.now() - Date.parse(last_seen);
  // A time that cannot be read counts as not seen.
  const seen =
    agoMs <= NOT_SEEN_MS
      ? fine(`${which} was seen ${Math.max(0, Math.round(agoMs / 60_000))} minutes ago.`)
      : wrong(
          `${which} has not been seen since ${last_seen}: no texts are sent and no payments are recognised.`,
          'Check that it is on and online, that SMSGate says Online, and that Android does not restrict the app to save battery. Settings → Ping with 300 seconds keeps it connected.',
        );
  if (signing_key === 'set') return [seen];
  return [
    seen,
    wrong(
      `${which} has no signing key here, so its posts are refused.`,
      `Copy the key from the app (Settings → Webhooks → Signing Key): gateway set-signing-key --gateway ${gateway} --device ${id}`,
    ),
  ];
}

/** A sender whose phone the account does not have. */
function strayed({ number, network, gateway, device_id, sim_number }: Sender, phones: readonly Phone[]): Finding[] {
  if (phones.some(({ id }) => id === device_id)) return [];
  return [
    wrong(
      `The sender ${number} uses the phone ${device_id}, which the gateway ${gateway} does not have.`,
      `Move it to one of its phones (${phones.map(({ id }) => id).join(', ') || 'none yet'}): sender add --number ${number} --network ${network} --gateway ${gateway} --device ID --sim ${sim_number}`,
    ),
  ];
}

function examineWebhooks(gateway: string, url: string, webhooks: Webhook[]): Finding {
  const missing = EVENTS.filter(
    (event) => !webhooks.some((one) => one.event === event && one.url === url && !one.deviceId),
  );
  if (missing.length === 0) return fine(`The gateway ${gateway} has its five webhooks to ${url}.`);
  return wrong(
    `The gateway ${gateway} has no webhook to ${url} for ${missing.join(', ')}.`,
    `Register them: gateway connect --gateway ${gateway}`,
  );
}
type Webhook = z.infer<typeof Webhooks>[number];

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
