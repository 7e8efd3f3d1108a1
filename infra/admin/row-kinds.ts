/**
 * Every kind of row that the table holds, by its key: what stands between `<` and `>` differs from row to row. The first that fits is
 * the row's; the table in docs/architecture.md has them too.
 */
export const rowKinds = {
  merchant: 'MERCHANT#<id> / MERCHANT',
  'webhook lane': 'WEBHOOK#<holder> / LANE',
  'webhook endpoint': 'WEBHOOK#<holder> / WEBHOOK',
  'change of money settings that waits': 'CHANGE#<merchant> / WAITS#<0-9>',
  'change of money settings': 'CHANGE#<merchant> / MADE#<time>#<random>',
  'changes seen': 'CHANGE#<merchant> / SEEN#<user>',
  'MoMo account': 'MOMO#<number> / <merchant>',
  'API key': 'KEY#<sha256> / KEY',
  'key use': 'KEY_USE#<sha256> / KEY_USE',
  'failed request': 'FAILED_REQUEST#<merchant> / <time>#<request id>',
  'credit balance': 'CREDITS#<merchant> / BALANCE',
  'credit entry': 'CREDIT_ENTRY#<merchant> / ENTRY#<ulid>',
  'low credits': 'CREDITS_LOW#<merchant> / LOW#<threshold>#<top-up>',
  transaction: 'TRANSACTION#<reference> / TRANSACTION',
  expiry: 'EXPIRY / <expires_at>#<reference>',
  lookup: 'LOOKUP#<merchant>#<hash of a term> / <created_at>#<reference>',
  'merchant reference': 'MERCHANT_REFERENCE#<merchant>#<sha256> / MERCHANT_REFERENCE',
  'open refund': 'REFUND#<id> / REFUND',
  transfer: "REFUND_TRANSFER#<network>#<network's id> / REFUND_TRANSFER",
  send: 'SEND#<id> / SEND',
  message: 'SEND#<id> / MESSAGE#<nn>',
  sender: 'SENDER / <number>',
  pace: 'PACE#<number> / SENDER',
  lane: 'PACE#<number> / <merchant>',
  phone: 'PHONE / <gateway>#<device>',
  pings: 'PHONE / <gateway>#',
  'hearing phone': 'HEARING / <number>#<gateway>#<device>',
  'hearing test': 'HEARING / <number>',
  'refused callbacks': 'REFUSED_CALLBACK / <gateway>#<device>#<reason>',
  'phone event': 'PHONE_EVENT#<gateway>#<device>#<id> / PHONE_EVENT',
  receipt: 'RECEIPT#<id> / RECEIPT',
  'payment use': "PAYMENT#<network>#<network's id> / PAYMENT",
  'unproven limit': 'UNPROVEN#<network>#<number> / <day>',
  'wallet notice': 'WALLET#<network>#<number> / NOTICE#<kind>#<what>',
  'balance chain': 'CHAIN#<network>#<number> / CHAIN',
  'text of a chain': 'CHAIN#<network>#<number> / TEXT#<id>#<before>#<after>',
  'waiting text of a chain': 'CHAIN#<network>#<number> / WAIT#<id>#<before>#<after>',
  'break of a chain': 'CHAIN#<network>#<number> / GAP#<id>',
  code: 'CODE#<receipt> / CODE',
  'coded number': 'CODE#<number> / NUMBER',
  'claim tries': 'CLAIM#<reference> / CLAIM',
  'wrong claims': 'CLAIM#<number>#<hour> / CLAIM_HOUR#<hash of amount and payer>',
  'webhook event': 'EVENT#<id> / EVENT',
  'webhook try': 'EVENT#<id> / ATTEMPT#<nnn>',
  'webhook calls': 'WEBHOOK_CALLS#<holder> / <minute>',
  'test use': 'TEST_USE#<twin> / <day>',
  booking: 'BOOKING#<merchant>#<day> / <time>#<sequence number>',
  totals: 'TOTALS#<merchant> / <day>',
  'outcomes of a SIM': 'OUTCOME / SIM#<gateway>#<device>#<sim>',
  'outcomes of a wallet': 'OUTCOME / WALLET#<network>#<gateway>#<number>',
  lease: 'LEASE / <name>',
  'audit line': 'AUDIT / <time>#<random>',
  user: 'USER#<id> / USER',
  team: 'TEAM#<merchant> / TEAM',
  passkey: 'PASSKEY#<user> / <credential id>',
  session: 'SESSION#<user> / <sha256>',
  challenge: 'CHALLENGE#<sha256> / CHALLENGE',
  invitation: 'INVITATION#<user> / INVITATION',
  'invited number': 'INVITATION#<number> / NUMBER',
  'invited today': 'INVITATION#<merchant> / <day>',
  'audit entry': 'AUDIT#<merchant>#<month> / <time>#<random>',
  'idempotency record': 'IDEMPOTENCY#<merchant>#<route>#<sha256> / IDEMPOTENCY',
  'migration of rows': 'MIGRATION / MIGRATION',
} as const satisfies Readonly<Record<string, string>>;

const patterns = Object.entries(rowKinds).map(([kind, keys]) => {
  const literal = keys.split(/<[^>]*>/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return { kind, pattern: new RegExp(`^${literal.join('.+')}$`, 's') };
});

/** What a row is; undefined where nothing here writes such a row. */
export function kindOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(`${pk} / ${sk}`))?.kind;
}
