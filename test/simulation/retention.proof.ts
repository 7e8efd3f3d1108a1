import { beforeAll, describe, expect, test } from 'vitest';
import { isWhole, sliceOf } from '../support/slice.ts';
import { Simulation } from './simulation.ts';

const DAY_SECONDS = 24 * 60 * 60;
const RETENTION_DAYS = 400;
/** A payment request's last day is at most this far ahead. */
const REQUEST_DAYS_AHEAD = 30;

/** Kinds of rows that are kept permanently, with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  MERCHANT: 'the merchant itself, until the operator removes it',
  WEBHOOK: "the webhook's address and secrets",
  MOMO: "the merchant's own number",
  KEY: "a hash, the merchant's id, and when it was used",
  CONTACT: 'customers, until the merchant removes them or the operator erases them',
  OPT_OUT: 'people who wrote STOP: without the row, they would get marketing again',
  CREDITS: 'a balance',
  BUNDLES: 'counts, prices, and the id of a merchant',
  PURCHASES: 'references of charges',
  CREDIT_ENTRY: 'money: amounts and ids',
  CREDITS_LOW: 'balances and ids, so that each low balance is reported once',
  SENDER: "the operator's own numbers",
  HEARING: "the operator's own numbers and phones: ids and times",
  PHONE: "the operator's own phones: ids and times",
  PAYMENT: 'ids, so that no payment is ever used twice',
  DEVICES: 'browsers and numbers of employees, until the notifications or the employees are removed',
  PUSH_KEY: "the stage's key for push notifications",
  USER: 'employees, until they are removed',
  TEAM: 'how many people a shop has',
  EXPIRY: 'ids; housekeeping removes the row within a day or so',
  LEASE: 'times, and ids of texts that are late',
  TILL: "a shop's tills: their names, and the ids of their cashiers",
  LINK: "the shop's words on the link's page, and how many codes are left",
  LINK_CODES: "a link's codes, and which of them were handed out",
  TOTALS: "a day's counts and amounts, and the references of disputed charges",
  CHAIN: "a wallet's balances, and the ids of its payments",
};

/** Personal data of the simulated customers. */
const PEOPLE = /canary|kofi|owusu|adjei|baidoo|233551112222|0551112222|233209876\d{3}|is your code|Transaction ID: \d/i;

type Item = Readonly<Record<string, unknown>>;
const kindOf = ({ pk }: Item) => String(pk).replace(/#.*/, '');

describe('the rows left by random runs of every feature', () => {
  /** Last version of every row. */
  const items: Item[] = [];
  const left: Item[] = [];
  const lateSeconds: number[] = [];

  beforeAll(async () => {
    for (const seed of sliceOf([11, 13, 16], 3)) {
      const simulation = new Simulation(seed);
      await simulation.prepare();
      for (let n = 0; n < 150; n++) await simulation.step();
      await simulation.settle();
      const { memory, nowMs } = simulation.kiosk;
      const nowSeconds = Math.floor(nowMs / 1000);
      items.push(...memory.items());
      const lateOf = (item: Item) =>
        Number(item.expires_at_epoch_seconds ?? 0) -
        nowSeconds -
        (kindOf(item) === 'REQUEST' ? REQUEST_DAYS_AHEAD * DAY_SECONDS : 0);
      lateSeconds.push(...memory.items().map(lateOf));
      memory.expire(nowSeconds + (RETENTION_DAYS + REQUEST_DAYS_AHEAD) * DAY_SECONDS);
      left.push(...memory.items());
    }
  });

  test('include every kind of row', () => {
    const ending = [...new Set(items.map(kindOf))].filter((kind) => !(kind in KEPT));
    const byChance = [
      'CODE_TEXT',
      'INBOX',
      'INVITATION',
      'KEYWORD',
      'LINK_WAIT',
      'PAY_TEXT',
      'REFUND',
      'REFUND_TRANSFER',
      'REFUSED_CALLBACK',
      'REQUEST',
      'REQUEST_MONEY',
      'SENT_CODE',
      'SILENCE',
      'STRANGERS',
      'TAKE',
    ];
    const always = [
      'AUDIT',
      'BOOKING',
      'CHANGE',
      'CLAIM',
      'CODE',
      'CONVERSATION',
      'EVENT',
      'FAILED_REQUEST',
      'IDEMPOTENCY',
      'KEY_USE',
      'LINK_OPENED',
      'LOOKUP',
      'OUTCOME',
      'PACE',
      'PHONE_EVENT',
      'PUSH_PACE',
      'PUSH_TEXT',
      'RECEIPT',
      'SEND',
      'SESSION',
      'TEST_USE',
      'TRANSACTION',
      'UNPROVEN',
      'VERIFICATION',
      'VERIFICATION_DAY',
      'VERIFICATION_NUMBER',
      'WALLET',
    ];
    expect([...always, ...byChance]).toEqual(expect.arrayContaining(ending));
    // Only all seeds together create every kind.
    if (isWhole) expect(ending).toEqual(expect.arrayContaining(always));
    const endless = items.filter((item) => !(kindOf(item) in KEPT) && item.expires_at_epoch_seconds === undefined);
    expect(endless).toEqual([]);
  });

  test('are kept no longer than the retention period', () => {
    expect(Math.max(...lateSeconds)).toBeLessThanOrEqual(RETENTION_DAYS * DAY_SECONDS);
  });

  /** LINK and LINK_CODES contain the shop's own data. */
  const OF_PEOPLE = new Set(['USER', 'CONTACT', 'OPT_OUT', 'LINK', 'LINK_CODES']);

  test('contain no names after the retention period', () => {
    const naming = (rows: readonly Item[]) => rows.filter((item) => PEOPLE.test(JSON.stringify(item)));
    const kinds = new Set(naming(items).map(kindOf));
    const rare = isWhole ? ['EVENT', 'WALLET', 'CODE'] : [];
    for (const kind of ['TRANSACTION', 'RECEIPT', 'SEND', ...rare]) expect(kinds).toContain(kind);
    expect(naming(left).filter((item) => !OF_PEOPLE.has(kindOf(item)))).toEqual([]);
  });

  test('still show which payments were used', () => {
    const kinds = new Set(left.map(kindOf));
    // A single seed may have no live payments.
    const paid = isWhole ? ['PAYMENT'] : [];
    for (const kind of [...paid, 'CREDITS', 'CREDIT_ENTRY', 'MERCHANT', 'KEY']) expect(kinds).toContain(kind);
    expect([...kinds].filter((kind) => !(kind in KEPT))).toEqual([]);
  });
});
