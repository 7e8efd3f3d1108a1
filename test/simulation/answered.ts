import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Kiosk } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;
type Change = Kiosk['memory']['records'][number];

const SAME_MS = 2 * 60 * 1000;
/** A worker looks whether somebody wrote STOP right before it takes a text; it may be slow in between. */
const HANDING_OVER_MS = 2 * 60 * 1000;

/**
 * What is wrong with what people answered, by the changes in the order in which they were committed: no marketing and no reminder is
 * debited after a STOP that was recorded, no marketing without a consent that is stored, none of what was agreed to before a withdrawal is
 * stored after it, of a bulk none leaves after a STOP, and each answer is the merchant's who wrote to that person last, and once.
 */
export function wronglyAnswered(records: Kiosk['memory']['records']): string[] {
  const wrong: string[] = [];
  const optedOut = new Map<string, boolean>();
  const agreed = new Map<string, boolean>();
  const withdrawnAt = new Map<string, string>();
  const stoppedMs = new Map<string, number>();
  const sends = new Map<string, Item>();
  const conversations = new Map<string, Item>();
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
    if (record.eventName !== 'INSERT') continue;
    // Who writes STOP while a bulk is accepted gets nothing of it, either.
    if (sk === 'SEND' && after.category !== undefined && after.bulk === undefined)
      for (const to of listOf(after.to))
        if (optedOut.get(`${after.merchant_id} ${to}`)) wrong.push(`${after.send_id} is debited after a STOP`);
        else if (after.category === 'marketing' && !agreed.get(`CONTACT#${after.merchant_id} ${to}`))
          wrong.push(`${after.send_id} is debited without a consent`);
    if (!sk.startsWith('ANSWER#')) continue;
    const { merchant_id, to, number, message, answer_id, keyword } = after;
    const line = String(merchant_id).endsWith('_test') ? merchant_id : to;
    const { wrote_by, promoted_by } = conversations.get(`CONVERSATION#${line}#${number}`) ?? {};
    const whose = [wrote_by, keyword === undefined ? undefined : promoted_by];
    if (!whose.includes(merchant_id) && line === to) wrong.push(`${answer_id} is shown to who did not write last`);
    const isTwice = kept.some(
      (one) =>
        one.merchant_id === merchant_id &&
        one.number === number &&
        one.message === message &&
        Math.abs(Date.parse(String(one.received_at)) - Date.parse(String(after.received_at))) <= SAME_MS,
    );
    if (isTwice) wrong.push(`${answer_id} is kept twice`);
    kept.push(after);
  }
  return wrong;
}

/** Each keyword is confirmed by one text at most, which its row names. */
export function wronglyConfirmed(items: readonly Item[]): string[] {
  const sends = items.filter(({ sk, message }) => sk === 'SEND' && /offers and reminders/.test(String(message)));
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

/** Of the rows that count here; the others are not read. */
function changeOf({ dynamodb }: Change) {
  const [pk, sk] = [dynamodb?.Keys?.pk?.S ?? '', dynamodb?.Keys?.sk?.S ?? ''];
  const counts = pk.startsWith('SEND#') || /^(?:OPT_OUT|CONTACT|CONVERSATION|INBOX)#/.test(pk);
  const image = counts ? dynamodb?.NewImage : undefined;
  // Lambda's types name the same values as the SDK's.
  const after: Item | undefined = image && unmarshall(image as Record<string, AttributeValue>);
  return { pk, sk, after };
}

/** When the consent that a contact's row has was given; after everything where it has none. */
function agreedAt({ consent }: Item): string {
  return consent && typeof consent === 'object' && 'at' in consent ? String(consent.at) : '~';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
