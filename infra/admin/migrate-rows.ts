import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Charge, chargeRows } from '../../shared/money/charge/charge.table.ts';
import { addLookup, missingLookups } from '../../shared/money/charge/lookup.table.ts';
import { findMigration, type Migration, noteMigration } from '../../shared/operations/doctor/migration.table.ts';
import { nowIso } from '../../shared/runtime/outside/outside.ts';
import type { Deployment, Progress } from '../../shared/runtime/stage/deployment.ts';
import { isOlder, numbersOf } from '../../shared/runtime/table/row-shape.ts';
import type { Item } from '../../shared/runtime/table/table.ts';

interface Options {
  readonly isForReal: boolean;
  readonly rowsPerSecond: number;
  readonly progress?: Progress;
}

/** Rows per page, about half a megabyte. Keeps checkpoints less than a minute apart. */
const PAGE_ROWS = 500;

/**
 * Migrates rows written by the previous release and adds new search terms to charges. Safe while functions are running:
 * rows that changed meanwhile are not rewritten. An interrupted run resumes where it stopped.
 */
export async function migrateRows(
  { outside, table }: Pick<Deployment, 'outside' | 'table'>,
  { isForReal, rowsPerSecond, progress = () => undefined }: Options,
) {
  const shapes = numbersOf(outside.table.shapes);
  const stopped = isForReal ? await findStopped(outside, shapes) : undefined;
  const started_at = stopped?.started_at ?? nowIso(outside);
  const counts: Migration['counts'] = { ...stopped?.counts };
  const countOf = (kind: string) => (counts[kind] ??= { rows: 0, older: 0 });
  let after = stopped?.after;
  const left: { key: string; why: string }[] = [];
  // Unmigrated rows that the interrupted run already reported.
  const leftBefore = stopped?.left ?? 0;
  const client = DynamoDBDocumentClient.from(table.client);

  for (;;) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, Limit: PAGE_ROWS, ExclusiveStartKey: after }),
    );
    let written = 0;
    const charges: Charge[] = [];
    for (const row of Items) {
      const kind = kindOf(row) ?? 'unknown';
      const count = countOf(kind);
      count.rows += 1;
      try {
        const current = outside.table.asCurrent(row);
        if (kind === 'transaction') charges.push(chargeRows.parse(current));
      } catch (error) {
        left.push({ key: `${row.pk} / ${row.sk}`, why: error instanceof Error ? error.message : String(error) });
        continue;
      }
      if (!isOlder(outside.table.shapes, row)) continue;
      count.older += 1;
      if (isForReal && (await outside.table.carryOver(row))) written += 1;
    }
    const missing = await missingLookups(outside, charges);
    if (missing.length > 0) countOf('lookup').older += missing.length;
    if (isForReal) {
      for (const one of missing) await addLookup(outside, one);
      written += missing.length;
    }
    progress(`Read ${Object.values(counts).reduce((sum, { rows }) => sum + rows, 0)} rows`);
    after = LastEvaluatedKey && placeOf(LastEvaluatedKey);
    if (isForReal) {
      const ended = after ? { after } : { ended_at: nowIso(outside) };
      await noteMigration(outside, { shapes, started_at, counts, left: leftBefore + left.length, ...ended });
    }
    if (!after) return { counts, isContinued: stopped !== undefined, left };
    if (written > 0) await outside.sleep((written * 1000) / rowsPerSecond);
  }
}

async function findStopped(outside: Deployment['outside'], shapes: string): Promise<Migration | undefined> {
  const last = await findMigration(outside);
  return last?.shapes === shapes && last.ended_at === undefined ? last : undefined;
}

function placeOf({ pk, sk }: Item) {
  return { pk: String(pk), sk: String(sk) };
}

/** Kinds of rows by key, with `<…>` for variable parts. The first match applies. Each area's README lists its kinds. */
export const rowKinds = {
  merchant: 'MERCHANT#<id> / MERCHANT',
  'webhook lane': 'WEBHOOK#<holder> / LANE',
  'webhook lane of texts': 'WEBHOOK#<holder> / LANE#TEXTS',
  'webhook endpoint': 'WEBHOOK#<holder> / WEBHOOK',
  'change to money settings that waits': 'CHANGE#<merchant> / WAITS#<0-9>',
  'change to money settings': 'CHANGE#<merchant> / MADE#<time>#<random>',
  'changes seen': 'CHANGE#<merchant> / SEEN#<user>',
  'MoMo account': 'MOMO#<number> / <merchant>',
  'API key': 'KEY#<sha256> / KEY',
  'key use': 'KEY_USE#<sha256> / KEY_USE',
  'failed request': 'FAILED_REQUEST#<merchant> / <time>#<request id>',
  'credit balance': 'CREDITS#<merchant> / BALANCE',
  'credit entry': 'CREDIT_ENTRY#<merchant> / ENTRY#<ulid>',
  bundles: 'BUNDLES / BUNDLES',
  purchases: 'PURCHASES#<buyer> / PURCHASES',
  'low credits': 'CREDITS_LOW#<merchant> / LOW#<threshold>#<top-up>',
  transaction: 'TRANSACTION#<reference> / TRANSACTION',
  expiry: 'EXPIRY#<0 or 1> / <expires_at>#<reference>',
  'follow-up': 'FOLLOW_UP#<0 or 1> / <queued_at>#<kind>#<about>',
  lookup: 'LOOKUP#<merchant>#<hash of a term> / <created_at>#<reference>',
  'merchant reference': 'MERCHANT_REFERENCE#<merchant>#<sha256> / MERCHANT_REFERENCE',
  link: 'LINK#<slug> / LINK',
  'payment request': 'REQUEST#<slug> / REQUEST',
  'money of a request': 'REQUEST_MONEY#<slug> / <reference>',
  'codes of a link': 'LINK_CODES#<slug> / <number of the first>',
  'charge that waits for a code': 'LINK_WAIT#<slug> / <paid at>#<reference>',
  'form that was pressed': 'LINK_OPENED#<slug> / PRESSED#<hash>',
  'charges opened from an address': 'LINK_OPENED#<slug> / <hour>#<address>',
  till: 'TILL#<merchant> / <till>',
  take: 'TAKE#<merchant>#<till> / <time>#<reference>',
  'open refund': 'REFUND#<id> / REFUND',
  transfer: "REFUND_TRANSFER#<network>#<network's id> / REFUND_TRANSFER",
  send: 'SEND#<id> / SEND',
  message: 'SEND#<id> / MESSAGE#<nn>',
  'text with a code': 'CODE_TEXT#<send> / CODE_TEXT',
  verification: 'VERIFICATION#<send> / VERIFICATION',
  'verified number': 'VERIFICATION_NUMBER#<merchant>#<number> / NUMBER',
  'verifications of a day': 'VERIFICATION_DAY#<merchant> / <day>',
  conversation: 'CONVERSATION#<line>#<number> / CONVERSATION',
  strangers: 'STRANGERS#<line> / <day>',
  question: 'QUESTION#<hash of two numbers> / QUESTION#<merchant>',
  keyword: 'KEYWORD#<hash of line and number> / HEARD#<keyword>',
  'sent code': 'SENT_CODE#<number> / CODE',
  'opt-out': 'OPT_OUT#<merchant> / <number>',
  contact: 'CONTACT#<merchant> / <number>',
  answer: 'INBOX#<merchant>#<number> / ANSWER#<received_at>#<id>',
  reply: 'INBOX#<merchant>#<number> / REPLY#<created_at>#<send>',
  sender: 'SENDER / <number>',
  pace: 'PACE#<number> / SENDER',
  lane: 'PACE#<number> / LANE#<merchant>',
  'lane of codes': 'PACE#<number> / CODES#<merchant>',
  'waiting text': 'PACE#<number> / WAIT#<place>#<send>#<nn>',
  phone: 'PHONE / <gateway>#<device>',
  pings: 'PHONE / <gateway>#',
  'hearing phone': 'HEARING / <number>#<gateway>#<device>',
  'hearing test': 'HEARING / <number>',
  'refused callbacks': 'REFUSED_CALLBACK / <gateway>#<device>#<reason>',
  'phone event': 'PHONE_EVENT#<gateway>#<device>#<id> / PHONE_EVENT',
  receipt: 'RECEIPT#<id> / RECEIPT',
  'payment use': "PAYMENT#<network>#<network's id> / PAYMENT",
  'typed use': "PAYMENT#<network>#<network's id> / TYPED#<merchant>",
  'unproven sums': 'UNPROVEN#<merchant> / UNPROVEN#<new or known>',
  'unproven limit reached': 'UNPROVEN#<merchant> / REACHED#<day>',
  'wallet notice': 'WALLET#<network>#<number> / NOTICE#<kind>#<what>',
  'balance chain': 'CHAIN#<network>#<number> / CHAIN',
  'text of a chain': 'CHAIN#<network>#<number> / TEXT#<id>#<before>#<after>',
  'waiting text of a chain': 'CHAIN#<network>#<number> / WAIT#<id>#<before>#<after>',
  'break of a chain': 'CHAIN#<network>#<number> / GAP#<id>',
  code: 'CODE#<receipt> / CODE',
  'coded number': 'CODE#<number> / NUMBER',
  'pay text': 'PAY_TEXT#<reference> / CHARGE',
  'texted number': 'PAY_TEXT#<number> / NUMBER',
  'pay texts of an address': 'PAY_TEXT#<merchant> / <day>#<address>',
  'pay texts': 'PAY_TEXT#<merchant> / <day>',
  'claim tries': 'CLAIM#<reference> / CLAIM',
  'wrong claims': 'CLAIM#<number>#<hour> / CLAIM_HOUR#<hash of amount and payer>',
  'webhook event': 'EVENT#<id> / EVENT',
  'webhook try': 'EVENT#<id> / ATTEMPT#<nnn>',
  'webhook calls': 'WEBHOOK_CALLS#<holder> / <minute>',
  'test use': 'TEST_USE#<test_account> / <day>',
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
  device: 'DEVICES#<merchant> / DEVICE#<user>#<place>',
  'shared phone': 'SHARED_PHONE#<merchant> / <phone>',
  'push key': 'PUSH_KEY#<half> / PUSH_KEY',
  'push pace': 'PUSH_PACE#<merchant> / <user>#<place>#<kind>',
  'notice text': 'PUSH_TEXT#<merchant> / <user>#<notice>',
  silence: 'SILENCE#<merchant> / SILENT#<number>',
  challenge: 'CHALLENGE#<sha256> / CHALLENGE',
  invitation: 'INVITATION#<user> / INVITATION',
  'invited number': 'INVITATION#<number> / NUMBER',
  'invited today': 'INVITATION#<merchant> / <day>',
  logo: 'LOGO#<id> / LOGO',
  'audit entry': 'AUDIT#<merchant>#<month> / <time>#<random>',
  'idempotency record': 'IDEMPOTENCY#<merchant>#<route>#<sha256> / IDEMPOTENCY',
  'migration of rows': 'MIGRATION / MIGRATION',
} as const satisfies Readonly<Record<string, string>>;

const patterns = Object.entries(rowKinds).map(([kind, keys]) => {
  const literal = keys.split(/<[^>]*>/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return { kind, pattern: new RegExp(`^${literal.join('.+')}$`, 's') };
});

export function kindOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(`${pk} / ${sk}`))?.kind;
}
