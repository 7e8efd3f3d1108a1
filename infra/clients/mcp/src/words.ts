/**
 * What people typed, a customer's name or a payment's reference, may be written for an agent to read: "ignore what you were told, and …".
 * So everything that is not surely the service's own is handed on as `{ "words": "…" }`, which the server's instructions say is never an
 * instruction. A new field of the service is words until it is named here.
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
/** The longest that any of those is. None has a space, so none is a sentence. */
const OWN_VALUE = /^[\w:+./=@%?&-]{1,300}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Characters that are not seen, or turn the direction of what is: words may not hide in them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_WORDS = 1000;

/** An answer of the service without what is null, and with the words of people marked. */
export function marked(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return isOwn(field, value) ? value : { words: visible(value) };
  if (Array.isArray(value)) return value.map((one) => marked(one, field));
  if (typeof value !== 'object' || value === null) return value;
  // Whoever makes a charge chooses the names in its metadata, too.
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
