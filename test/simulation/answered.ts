import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Kiosk } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;
type Change = Kiosk['memory']['records'][number];

const SAME_MS = 2 * 60 * 1000;
/** Maximum time between a worker's check for a STOP and the handover of the text. */
const HANDING_OVER_MS = 2 * 60 * 1000;

/**
 * Returns violations of these rules, from the changes in commit order:
 * - Marketing texts and reminders must not be debited after a stored STOP, and marketing texts need a stored consent.
 * - A consent from before a withdrawal must not be stored after the withdrawal.
 * - No text of a bulk may be sent after a STOP.
 * - Each reply must be stored once, for the merchant that owned the number when the reply arrived.
 */
export function wronglyAnswered(records: Kiosk['memory']['records']): string[] {
  const wrong: string[] = [];
  const optedOut = new Map<string, boolean>();
  const agreed = new Map<string, boolean>();
  const withdrawnAt = new Map<string, string>();
  const stoppedMs = new Map<string, number>();
  const sends = new Map<string, Item>();
  const conversations = new Map<string, Item>();
  const senders = new Map<unknown, Item>();
  const codesUntil = new Map<string, string>();
  const kept: Item[] = [];
  for (const record of records) {
    const { pk, sk, after } = changeOf(record);
    if (pk.startsWith('CONTACT#')) agreed.set(`${pk} ${sk}`, after?.consent !== undefined);
    if (!after) continue;
    if (pk.startsWith('CONTACT#') && agreedAt(after) <= (withdrawnAt.get(`${after.merchant_id} ${sk}`) ?? ''))
      wrong.push(`${pk} ${sk} has a consent that was withdrawn`);
    const atMs = 1000 * Number(record.dynamodb?.ApproximateCreationDateTime);
    if (pk.startsWith('OPT_OUT#')) {
      withdrawnAt.set(`${after.merchant_id} ${after.number}`, String(after.withdrawn_at ?? ''));
      optedOut.set(`${after.merchant_id} ${after.number}`, after.opted_out === true);
      stoppedMs.set(`${after.merchant_id} ${after.number}`, atMs);
    }
    if (sk === 'SEND') sends.set(pk, after);
    if (sk.startsWith('MESSAGE#') && after.state === 'sending') {
      const send = sends.get(pk);
      const whom = `${send?.merchant_id} ${listOf(send?.to)[Number(after.index)]}`;
      const isStopped =
        optedOut.get(whom) && Number(stoppedMs.get(whom)) + HANDING_OVER_MS < Date.parse(String(after.sending_at));
      if (send?.category !== undefined && isStopped) wrong.push(`${pk} ${sk} leaves after a STOP`);
    }
    if (pk.startsWith('CONVERSATION#')) conversations.set(pk, after);
    if (pk === 'SENDER') senders.set(after.number, after);
    if (pk.startsWith('SENT_CODE#')) codesUntil.set(pk, String(after.until));
    if (record.eventName !== 'INSERT') continue;
    // A STOP that arrives while a bulk is being accepted applies to all of the bulk's texts.
    if (sk === 'SEND' && after.category !== undefined && after.bulk === undefined)
      for (const to of listOf(after.to))
        if (optedOut.get(`${after.merchant_id} ${to}`)) wrong.push(`${after.send_id} is debited after a STOP`);
        else if (after.category === 'marketing' && !agreed.get(`CONTACT#${after.merchant_id} ${to}`))
          wrong.push(`${after.send_id} is debited without a consent`);
    if (!sk.startsWith('ANSWER#')) continue;
    const { merchant_id, to, number, message, answer_id, received_at, created_at } = after;
    const line = String(merchant_id).endsWith('_test') ? merchant_id : to;
    const { wrote_by = merchant_id, heard } = conversations.get(`CONVERSATION#${line}#${number}`) ?? {};
    const { owner, owned_since = '' } = senders.get(to) ?? {};
    const isOwners = owner === merchant_id && String(owned_since) <= String(received_at) && wrote_by === merchant_id;
    if (!isOwners && line === to) wrong.push(`${answer_id} is shown to who is not meant`);
    const mayBeCode = (String(message).match(/\p{Nd}/gu) ?? []).length >= 4;
    if (mayBeCode && line === to && String(created_at) < (codesUntil.get(`SENT_CODE#${number}`) ?? ''))
      wrong.push(`${answer_id} is shown while a code may be valid`);
    const heardMs = listOf(heard).map((one) => Number(Object(one).received_ms));
    const isTwice = kept.some((one) => {
      const [from = 0, to = 0] = [one, after]
        .map((each) => Date.parse(String(each.received_at)))
        .toSorted((a, b) => a - b);
      // After a different text, the same words count as a new reply.
      const isAgain = heardMs.some((ms) => from < ms && ms < to);
      const isSame = one.merchant_id === merchant_id && one.number === number && one.message === message;
      return isSame && to - from <= SAME_MS && !isAgain;
    });
    if (isTwice) wrong.push(`${answer_id} is kept twice`);
    kept.push(after);
  }
  return wrong;
}

/**
 * Cache time of senders (2 s), plus 1 s because the times of changes are rounded down. A STOP in this period applies to
 * the number's earlier phone.
 */
const REMEMBERED_MS = 3_000;
const PROMOTED_MS = 30 * 24 * 3_600_000;

/**
 * Returns texts debited after their recipient's STOP to the same marketing number. For this check, a later START to any
 * number ends the STOP.
 */
export function marketedAfterStop({ memory, thanked }: Pick<Kiosk, 'memory' | 'thanked'>): string[] {
  const wrong: string[] = [];
  const sends = new Map<string, Item>();
  const senders = new Map<string, Item & { readonly movedMs: number }>();
  /** Times at which each merchant sent marketing texts to a person from a number. */
  const promoters = new Map<string, Map<unknown, number>>();
  const stopped = new Map<string, string>();
  const startedAt = new Map<string, string>();
  const texts = thanked.toSorted((one, other) => one.records - other.records);
  for (const [n, record] of memory.records.entries()) {
    const atMs = 1000 * Number(record.dynamodb?.ApproximateCreationDateTime);
    for (let [text] = texts; text && text.records <= n; [text] = texts) {
      texts.shift();
      hear(text);
    }
    const { pk, sk, after } = changeOf(record);
    if (pk === 'SENDER' && after) {
      const before = senders.get(sk);
      senders.set(sk, { ...after, movedMs: before?.device_id === after.device_id ? (before?.movedMs ?? atMs) : atMs });
    }
    if (!after || !pk.startsWith('SEND#')) continue;
    if (sk === 'SEND') sends.set(pk, after);
    if (record.eventName === 'INSERT' && sk === 'SEND' && after.category !== undefined)
      for (const to of listOf(after.to)) {
        const since = stopped.get(`${after.merchant_id} ${to}`);
        if (since) wrong.push(`${after.send_id} is debited after the STOP of ${since}`);
      }
    const send = sends.get(pk);
    if (
      sk.startsWith('MESSAGE#') &&
      (after.state === 'sent' || after.state === 'delivered') &&
      send?.category !== undefined
    ) {
      const whom = `${after.from ?? send.from} ${listOf(send.to)[Number(after.index)]}`;
      promoters.set(whom, (promoters.get(whom) ?? new Map()).set(send.merchant_id, atMs));
    }
  }
  return wrong;

  function hear({ message, sender, device, postedMs, receivedAt = '' }: Kiosk['thanked'][number]) {
    const word = message.trim().toUpperCase();
    if (word === 'START') {
      startedAt.set(sender, [receivedAt, startedAt.get(sender) ?? ''].toSorted().at(-1) ?? '');
      for (const [whom, since] of stopped) if (whom.endsWith(` ${sender}`) && since <= receivedAt) stopped.delete(whom);
    }
    const [line, ...others] = [...senders.values()].filter((one) => one.device_id === device);
    const isKnown =
      line && others.length === 0 && [...senders.values()].every(({ movedMs }) => postedMs - movedMs > REMEMBERED_MS);
    if (word !== 'STOP' || !isKnown || (startedAt.get(sender) ?? '') >= receivedAt) return;
    for (const [id, promotedMs] of promoters.get(`${line.number} ${sender}`) ?? [])
      if (Date.parse(receivedAt) - promotedMs < PROMOTED_MS) stopped.set(`${id} ${sender}`, receivedAt);
  }
}

/** Returns keywords confirmed by several texts, or by a text that their row does not name. */
export function wronglyConfirmed(items: readonly Item[]): string[] {
  const sends = items.filter(({ sk, message }) => sk === 'SEND' && /offers (and|or) reminders/.test(String(message)));
  const named = new Set(items.flatMap(({ pk, send_id }) => (String(pk).startsWith('KEYWORD#') ? [send_id] : [])));
  const days = Map.groupBy(sends, ({ merchant_id, to, message, created_at }) =>
    [merchant_id, to, message, String(created_at).slice(0, 13)].join(),
  );
  return [
    ...[...days.values()].flatMap((same) => (same.length > 1 ? [`${same[0]?.send_id} is a second confirmation`] : [])),
    ...[...named].flatMap((id) =>
      id === undefined || sends.some(({ send_id }) => send_id === id) ? [] : [`the confirmation ${id} is not there`],
    ),
  ];
}

/** Parses a change. `after` is undefined for rows that no rule concerns. */
function changeOf({ dynamodb }: Change) {
  const [pk, sk] = [dynamodb?.Keys?.pk?.S ?? '', dynamodb?.Keys?.sk?.S ?? ''];
  const counts = pk === 'SENDER' || /^(?:SEND|OPT_OUT|CONTACT|CONVERSATION|INBOX|SENT_CODE)#/.test(pk);
  const image = counts ? dynamodb?.NewImage : undefined;
  // Lambda's and the SDK's types describe the same values.
  const after: Item | undefined = image && unmarshall(image as Record<string, AttributeValue>);
  return { pk, sk, after };
}

/** Returns the time of a contact's consent, or the maximum time without one. */
function agreedAt({ consent }: Item): string {
  return consent && typeof consent === 'object' && 'at' in consent ? String(consent.at) : '~';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
