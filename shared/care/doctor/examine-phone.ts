import type { Phone as HeardPhone } from '../../phones/gateway/phone.table.ts';
import type { RefusedCallback } from '../../phones/gateway/refused-callback.table.ts';
import { isSilent, NOT_SEEN_MS } from '../../phones/sender/phone-silence.ts';
import { isInUse, type Sender } from '../../phones/sender/sender.ts';
import { type Finding, fine, shellWord, wrong } from './finding.ts';

export interface Phone {
  readonly id: string;
  readonly name: string;
  readonly last_seen: string;
  /** The numbers of the senders that are configured to be in it. */
  readonly senders: readonly string[];
  readonly signing_key: 'set' | 'missing';
}

interface Account {
  readonly phones: readonly Phone[];
  readonly senders: readonly Sender[];
  /** By the clock of the gateway, which says when it saw a phone, and by the service's, which says when it heard from it. */
  readonly nowMs: { readonly gateway: number; readonly service: number };
  /** What the service noted of the phones' posts. */
  readonly heard: Heard;
}

export interface Heard {
  readonly phones: readonly HeardPhone[];
  /** Since when the account's phones are to ping; undefined if they were never told to. */
  readonly pingsSinceMs: number | undefined;
  readonly refused: readonly RefusedCallback[];
}

/** A phone that carries senders is on, and what it posts is accepted. */
export function examinePhone(gateway: string, phone: Phone, account: Account): Finding[] {
  const agoMs = account.nowMs.gateway - Date.parse(phone.last_seen);
  // A time that cannot be read counts as not seen.
  if (!(agoMs <= NOT_SEEN_MS)) return [notSeen(gateway, phone, account)];
  const seen = fine(`${nameOf(phone)} was seen ${Math.max(0, Math.round(agoMs / 60_000))} minutes ago.`);
  if (phone.signing_key === 'missing') return [seen, withoutKey(gateway, phone)];
  return [seen, ...notHeard(gateway, phone, account)];
}

/** Online, but what it posts does not arrive, or is refused. */
function notHeard(gateway: string, phone: Phone, { heard, nowMs, senders }: Account): Finding[] {
  const known = heard.phones.find(({ device_id }) => device_id === phone.id);
  const heardMs = known?.heard_ms ?? 0;
  const [refused] = heard.refused
    .filter(({ device_id, last_at }) => device_id === phone.id && Date.parse(last_at) > heardMs)
    .toSorted((one, other) => other.last_at.localeCompare(one.last_at));
  if (refused?.reason === 'wrong_signature') return [otherKey(gateway, phone)];
  if (refused?.reason === 'unknown_device') return [refusedBefore(phone, refused.last_at)];
  if (refused?.reason === 'clock') return [wrongClock(phone, refused.skew_seconds ?? 0)];
  const isPhones = (sender: Sender) => isInUse(sender) && sender.device_id === phone.id;
  const now = () => nowMs.service;
  if (!senders.some((sender) => isPhones(sender) && isSilent({ now }, sender, known, heard.pingsSinceMs))) return [];
  return [
    wrong(
      `${nameOf(phone)} is online, but nothing that it signed has arrived ${known ? `since ${new Date(heardMs).toISOString()}` : 'so far'}: payments are not recognised.`,
      'In the app, Settings → Ping must be on, with 300 seconds. Then restart the app, and check that Android does not restrict it to save battery.',
    ),
  ];
}

function otherKey(gateway: string, phone: Phone): Finding {
  return wrong(
    `${nameOf(phone)} signs with another key than the one stored here: what it posts is refused, so payments are not recognised.`,
    `Copy the key from the app (Settings → Webhooks → Signing Key), which counts within ten seconds: gateway set-signing-key --gateway ${gateway} --device ${shellWord(phone.id)}. The phone posts what was refused again.`,
  );
}

/** Its key is stored by now: `signing_key` says so. */
function refusedBefore(phone: Phone, lastAt: string): Finding {
  return wrong(
    `What ${nameOf(phone).replace('The', 'the')} posted until ${lastAt} was refused, because no signing key of it was stored here then, and nothing has arrived since.`,
    'Its key is stored now. The phone pings every five minutes and posts what was refused again, so run this again in a few minutes.',
  );
}

function wrongClock(phone: Phone, skewSeconds: number): Finding {
  const by = `${Math.round(Math.abs(skewSeconds) / 60)} minutes ${skewSeconds > 0 ? 'ahead' : 'behind'}`;
  return wrong(
    `The clock of ${nameOf(phone).replace('The', 'the')} is ${by}: what it posts is refused, so payments are not recognised.`,
    'On the phone: Settings → System → Date & time, set the time automatically. The phone posts what was refused again.',
    { symptomOf: ['clocks of phones'] },
  );
}

/** Off; or its app was installed again, which gives it a new id: then it is there a second time, without a sender. */
function notSeen(gateway: string, phone: Phone, { phones, senders, nowMs: { gateway: nowMs } }: Account): Finding {
  const says = `${nameOf(phone)} has not been seen since ${phone.last_seen}: no texts are sent and no payments are recognised.`;
  const isNew = (other: Phone) => other.senders.length === 0 && nowMs - Date.parse(other.last_seen) <= NOT_SEEN_MS;
  const replacement = phones.find(isNew);
  const checkIt =
    'Check that it is on and online, that SMSGate says Online, and that Android does not restrict the app to save battery. Settings → Ping with 300 seconds keeps it connected.';
  if (!replacement) return wrong(says, checkIt);
  const moves = senders
    .filter(({ device_id }) => device_id === phone.id)
    .map(
      ({ number, network, sim_number }) =>
        `sender add --number ${number} --network ${network} --gateway ${gateway} --device ${shellWord(replacement.id)} --sim ${sim_number}`,
    );
  return wrong(
    `${says} The account has another phone that is online and carries no sender: ${replacement.name || 'no name'} (${replacement.id}).`,
    `If the app was installed again or the phone was replaced, it is this one: gateway set-signing-key --gateway ${gateway} --device ${shellWord(replacement.id)}, then ${moves.join(', ')}. Otherwise: ${checkIt}`,
  );
}

function withoutKey(gateway: string, phone: Phone): Finding {
  return wrong(
    `${nameOf(phone)} has no signing key here, so its posts are refused.`,
    `Copy the key from the app (Settings → Webhooks → Signing Key): gateway set-signing-key --gateway ${gateway} --device ${shellWord(phone.id)}`,
  );
}

function nameOf({ id, name }: Phone): string {
  return `The phone ${name ? `${name} (${id})` : id}`;
}
