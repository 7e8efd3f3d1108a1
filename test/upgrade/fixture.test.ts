import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { rowKinds } from '../../infra/admin/migrate-rows.ts';
import { chargeStatuses } from '../../shared/money/charge/states.ts';
import { HeldReason, ReceiptState } from '../../shared/money/receipt/receipt.ts';
import { messageStates, messageTransitions } from '../../shared/texts/sms/states.ts';
import { testTransitions } from '../../shared/wallets/wallet/hearing.table.ts';
import { WebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { WebhookEvent } from '../../shared/webhook/event.ts';
import { exampleOf } from './fixture.ts';
import { tellStories } from './tell-stories.ts';

let examples: ReadonlySet<string>;
beforeAll(async () => {
  examples = new Set((await tellStories('now')).rows.map(exampleOf));
});

/** All states from the schemas. A text is never stored as `pending`. */
const states = [
  ...chargeStatuses.map((state) => `transaction, ${state}`),
  ...messageStates.filter((state) => state in messageTransitions).map((state) => `message, ${state}`),
  ...ReceiptState.options.filter((state) => state !== 'held').map((state) => `receipt, ${state}`),
  ...HeldReason.options.map((reason) => `receipt, held, ${reason}`),
  ...WebhookEvent.shape.state.options.map((state) => `webhook event, ${state}`),
  ...WebhookEndpoint.shape.disabled_reason.def.innerType.options.map((reason) => `webhook endpoint, ${reason}`),
  ...Object.keys(testTransitions).map((state) => `hearing test, ${state}`),
];

/** The next fixture must cover everything that this release stores. Add missing stories to stories.ts. */

test('the fixture contains every kind of row', () => {
  const kinds = new Set([...examples].map((example) => example.split(',')[0]));
  expect(Object.keys(rowKinds).filter((kind) => !kinds.has(kind))).toEqual([]);
});

test('the fixture contains every state of a row', () => {
  expect(states.length).toBeGreaterThanOrEqual(40);
  expect(states.filter((state) => !examples.has(state))).toEqual([]);
});

test('every row in the fixture belongs to a known kind', () => {
  expect([...examples].filter((example) => example.startsWith('unknown'))).toEqual([]);
});

test('the keys of every kind of row are documented once', () => {
  const files = globSync(['shared/*/README.md', 'shared/money/*/README.md', 'docs/internals/architecture.md']);
  const rows = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\| .*? \| (.*?) \| (.*?) \|.*$/gm)].map(([, pks = '', sks = '']) => ({
      pks: pks.split(', '),
      sks: sks.split(', '),
    })),
  );
  const timesWritten = (keys: string) => {
    const [pk = '', sk = ''] = keys.split(' / ').map((key) => `\`${key}\``);
    return rows.filter(({ pks, sks }) => pks.includes(pk) && sks.includes(sk)).length;
  };
  expect(Object.entries(rowKinds).filter(([, keys]) => timesWritten(keys) !== 1)).toEqual([]);
});
