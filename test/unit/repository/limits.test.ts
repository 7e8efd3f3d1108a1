import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import * as merchants from '../../../shared/merchants/merchant/merchant.ts';
import {
  MAX_KEPT_EVENTS_PER_DAY,
  MAX_TEST_OBJECTS_PER_DAY,
} from '../../../shared/merchants/merchant/test-limit.table.ts';
import { MAX_INVITATION_TEXTS_PER_DAY } from '../../../shared/merchants/user/invitation.table.ts';
import * as pins from '../../../shared/merchants/user/pin-tries.ts';
import { FEW_PAY_TEXTS_PER_DAY } from '../../../shared/money/charge/pay-text.table.ts';
import * as claims from '../../../shared/money/claims/claim.table.ts';
import * as payers from '../../../shared/money/claims/phone-code.table.ts';
import { UNPROVEN_LIMITS_A_DAY } from '../../../shared/money/goods/decide-release.ts';
import { MOST_OF_ONE_WAY } from '../../../shared/money/goods/unproven.table.ts';
import * as links from '../../../shared/money/link/link.table.ts';
import { MAX_PURCHASES } from '../../../shared/money/purchase/last-purchases.ts';
import { MAX_CHARGES } from '../../../shared/money/request/open-request-charge.ts';
import { BURST_MS } from '../../../shared/phones/sender/pace.table.ts';
import { PACE_MS } from '../../../shared/push/notice-turn.ts';
import { TIMES_FOR_FEW } from '../../../shared/runtime/table/limits.ts';
import { MAX_ANSWERS_PER_DAY, MAX_STRANGERS_PER_DAY } from '../../../shared/texts/conversation/conversation.table.ts';
import * as codes from '../../../shared/texts/verification/verification.table.ts';
import { MAX_CALLS_PER_MINUTE } from '../../../shared/webhook/event.table.ts';
import { MAX_SLOW_TRIES_AT_ONCE } from '../../../shared/webhook/lane.table.ts';

// The operating manual must list every rate limit and every file that enforces one.

/** Limits without a constant: `countThreeADay`, and a wallet's reception tests (`before_at`). */
const [THREE_A_DAY, TESTS_A_DAY, DAYS_A_MONTH] = [3, 2, 30];

/** Expected figures in each row of the table. */
const FIGURES: Readonly<Record<string, readonly number[]>> = {
  'objects created with test keys': [MAX_TEST_OBJECTS_PER_DAY],
  'test events stored without a webhook': [MAX_KEPT_EVENTS_PER_DAY],
  'webhook events tested or replayed': [MAX_CALLS_PER_MINUTE],
  'charges opened through a link or a request': [links.MAX_UNPAID_FROM_ADDRESS_PER_HOUR],
  'charges of one payment request': [MAX_CHARGES],
  'texts with payment instructions': [FEW_PAY_TEXTS_PER_DAY, THREE_A_DAY, FEW_PAY_TEXTS_PER_DAY, TIMES_FOR_FEW],
  'invitations as texts': [MAX_INVITATION_TEXTS_PER_DAY, THREE_A_DAY],
  'notifications as texts': [],
  'notifications of one kind to a device': [1, PACE_MS / 1000],
  'stored texts from strangers': [MAX_STRANGERS_PER_DAY],
  'stored texts from one person': [MAX_ANSWERS_PER_DAY, MAX_ANSWERS_PER_DAY],
  'claims for a charge': [claims.MAX_TRIES, claims.WINDOW_SECONDS / 60],
  'listed credit purchases': [MAX_PURCHASES],
  'wrong claims': [claims.MAX_WRONG_PER_HOUR, claims.MAX_WRONG_OF_ADDRESS],
  'claim codes to payers': [
    payers.MAX_CODES_OF_PAYMENT,
    THREE_A_DAY,
    payers.MAX_CODE_TRIES,
    payers.CODE_LIFETIME_MS / 60_000,
  ],
  'verification codes': [
    ...[codes.MAX_CODES_OF_NUMBER.hour, codes.MAX_CODES_OF_NUMBER.day],
    ...[codes.MAX_CODES_OF_MERCHANT.hour, codes.MAX_CODES_OF_MERCHANT.day],
  ],
  'wrong verification codes': [...[codes.MAX_TRIES_OF_CODE, codes.MAX_WRONG_OF_NUMBER, codes.MAX_WRONG_OF_MERCHANT]],
  'wrong PINs on a shared phone': [pins.MAX_WRONG, pins.MAX_WRONG_IN_MONTH, DAYS_A_MONTH, pins.MAX_WRONG_OF_PHONE],
  'unverified payments': [
    ...[UNPROVEN_LIMITS_A_DAY, merchants.DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS / 100],
    merchants.DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS / 100,
    MOST_OF_ONE_WAY * 100,
  ],
  'texts from a SIM': [BURST_MS / 60_000],
  'concurrent webhooks to a slow server': [MAX_SLOW_TRIES_AT_ONCE],
  'test texts to a wallet': [TESTS_A_DAY],
};

/** Matches code that enforces a limit. */
const COUNTS =
  /\bcountUpTo\(|\bcountThreeADay\(|\): (?:Fair|Address)Limit\b|\bupTo\b(?!\()|\b(takeTry|advance)\b.* from '.*\/table\/\w[\w-]*.ts'/;

const [, section = ''] = /^## Limits\n(.*?)^## /ms.exec(readFileSync('docs/operate/operating.md', 'utf8')) ?? [];
const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \| `([^|]+)` \|/gm)].map(
  ([, name = '', most = '', file = '']) => ({
    name,
    file,
    figures: [...most.matchAll(/\d[\d,.]*/g)].map(([figure]) => Number(figure.replaceAll(/,|\.$/g, ''))),
  }),
);

test('documented limits equal the limits in the code', () => {
  expect(Object.fromEntries(rows.map(({ name, figures }) => [name, figures]))).toEqual(FIGURES);
});

test('the limits table covers every file that enforces a limit', () => {
  const counting = globSync('shared/**/*.ts').filter((file) => COUNTS.test(readFileSync(file, 'utf8')));
  expect(counting).toContain('shared/money/link/link.table.ts');
  const named = new Set(rows.map(({ file }) => file));
  const mechanism = ['limits.ts', 'table.ts', 'one-time-code.ts', 'due-clock.ts'];
  expect(counting.filter((file) => !named.has(basename(file)) && !mechanism.includes(basename(file)))).toEqual([]);
});
