/**
 * Fields whose values come from the service itself. All other strings were typed by people and may contain instructions
 * for the agent ("ignore what you were told, and …"). They are passed on as `{ "words": "…" }`, and the server's
 * instructions tell the agent not to obey them.
 */
const OWN_FIELDS = new Set([
  ...[
    'reference',
    'status',
    'currency',
    'access_code',
    'authorization_url',
    'url',
    'slug',
    'momo_number',
    'momo_network',
  ],
  ...[
    'id',
    'ids',
    'send_id',
    'receipt_id',
    'refund_id',
    'gateway_message_id',
    'network',
    'matched_by',
    'state',
    'why',
    'code',
    'request_id',
  ],
  ...[
    'closed_by',
    'encoding',
    'to',
    'from',
    'payer_phone',
    'customer_phone',
    'transaction_id',
    'at',
    'reversible_until',
    'next',
    'due',
    'every',
    'sms_id',
    'not_sent',
  ],
]);
/** Matches the service's own values, which contain no spaces and therefore no sentences. */
const OWN_VALUE = /^[\w:+./=@%?&-]{1,300}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Invisible and direction-changing characters, which can hide instructions. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_WORDS = 1000;

/** Marks text written by people in a response, and removes nulls. */
export function marked(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return isOwn(field, value) ? value : { words: visible(value) };
  if (Array.isArray(value)) return value.map((one) => marked(one, field));
  if (typeof value !== 'object' || value === null) return value;
  // The caller who creates the charge also chooses the keys of `metadata`.
  if (field === 'metadata') return { words: visible(JSON.stringify(value)) };
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([name, one]) => [name, marked(one, name)]));
}

function isOwn(field: string, value: string): boolean {
  return field.endsWith('_at') ? TIME.test(value) : OWN_FIELDS.has(field) && OWN_VALUE.test(value);
}

function visible(words: string): string {
  const seen = words.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return seen.length > MAX_WORDS ? `${seen.slice(0, MAX_WORDS)}… (cut)` : seen;
}
