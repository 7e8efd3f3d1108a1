import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxText } from '../../../infra/admin/inbox.ts';
import { tryWallet } from '../../../infra/admin/try-wallet.ts';
import { readWalletText } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { admin, adminJson } from '../../support/admin-commands.ts';
import { samples, walletLog } from '../../support/wallet-texts.ts';

/** Texts of a real wallet, with three breaks and a payment above a young anchor's sum. */
const LOGGED = walletLog.slice(1300, 1550);
const INBOX = inboxOf(LOGGED);
const BALANCE = 9_67;
const PAYMENTS = 14;
const ABOVE_SUM = {
  time: expect.any(String),
  amount: 1344.68,
  verified_later: true,
  reason: expect.stringMatching(/^it is above the GHS 1,000.00 a day/),
};
const MISSING_OR_FORGED = 'an earlier text is missing, or this one is forged';
const MTN_IDS_PER_MS = 0.775;
const READ_PAYMENTS = INBOX.map(({ sender, text }) => readWalletText(sender, text)).filter(
  (one) => one.kind === 'payment',
);

function inboxOf(logged: typeof walletLog): InboxText[] {
  return logged.map(({ received_at, sender, text }) => ({ sender, text, receivedMs: Date.parse(received_at) }));
}

const folder = mkdtempSync(join(tmpdir(), 'inbox-'));

function fileOf(name: string, contents: string): string {
  const file = join(folder, name);
  writeFileSync(file, contents);
  return file;
}

const escaped = (text: string) => text.replace(/[&<>"\n]/g, (one) => `&#${one.charCodeAt(0)};`);
const XML = `<smses>${LOGGED.map(({ received_at, sender, text }) => `<sms address="${escaped(sender)}" date="${Date.parse(received_at)}" type="1" body="${escaped(text)}" />`).join('\n')}</smses>`;

const tried = (inbox: readonly InboxText[], balancePesewas = BALANCE) =>
  tryWallet(inbox, { network: undefined, balancePesewas });

test('both forms of an inbox show which payments would have waited, without a stage', async () => {
  for (const file of [fileOf('inbox.xml', XML), fileOf('inbox.json', JSON.stringify(LOGGED))]) {
    expect(await adminJson('/nowhere', 'wallet', 'try', '--file', file, '--balance', 'GHS 9.67'), file).toEqual({
      texts: 250,
      wallet_texts: 250,
      read: 250,
      unread: 0,
      from: LOGGED[0]?.received_at,
      payments: PAYMENTS,
      verified_within_two_minutes: PAYMENTS - 1,
      would_have_waited: 1,
      waiting_payments: [ABOVE_SUM],
      questions_to_the_owner: [
        { times_asked: 1, why: expect.stringMatching(/^A new balance verifies at most GHS.1,000.00 in 24 hours/) },
        { times_asked: 3, why: expect.stringMatching(/^Some texts do not follow/) },
      ],
      next: expect.stringMatching(/sends nothing anywhere. Two weeks of a real shop’s texts help us most/),
    });
  }
});

test('the printed result contains no text, name or number', async () => {
  const file = fileOf('inbox.xml', XML);
  const { stdout, stderr } = await admin('/nowhere', 'wallet', 'try', '--file', file, '--balance', '9.67');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^texts: 250\n/);
  for (const { payerName, transactionId } of READ_PAYMENTS) {
    expect(stdout).not.toContain(payerName);
    expect(stdout).not.toContain(transactionId);
  }
  expect(stdout).not.toMatch(/\d{9}/);
});

test('without one text, only the payment after it waits until the owner names the balance', async () => {
  // The next payments arrive on the next morning, before the daily look.
  const result = await tried(INBOX.filter((_, n) => n !== 156));
  expect(result.waiting_payments).toEqual([
    ABOVE_SUM,
    { time: LOGGED[157]?.received_at, amount: 1351.4, verified_later: true, reason: MISSING_OR_FORGED },
  ]);
  expect(result.questions_to_the_owner[1]).toMatchObject({ times_asked: 4 });
});

test('a forged payment is never verified and changes nothing for the genuine ones', async () => {
  const [genuine, receivedMs] = [INBOX[165], Date.parse('2026-10-01T12:00:00.000Z')];
  if (!genuine) throw new Error('The log is too short');
  const laterIds = Math.round((receivedMs - genuine.receivedMs) * MTN_IDS_PER_MS);
  const text = genuine.text
    .replace(/(Balance: GHS )[\d.]+/g, '$14321.09')
    .replace(/(Transaction ID: )(\d+)/, (_, label, id) => `${label}${Number(id) + laterIds}`);
  const forged = { ...genuine, text, receivedMs };
  const result = await tried([...INBOX.slice(0, 173), forged, ...INBOX.slice(173)]);
  expect(result).toMatchObject({ payments: PAYMENTS + 1, verified_within_two_minutes: PAYMENTS - 1 });
  expect(result.waiting_payments).toEqual([
    ABOVE_SUM,
    { time: '2026-10-01T12:00:00.000Z', amount: 218, verified_later: false, reason: MISSING_OR_FORGED },
  ]);
  expect(result.questions_to_the_owner[1]).toMatchObject({ times_asked: 4 });
});

test('a text that overtook another one before the daily look causes no question', async () => {
  // The owner looks at 12:25. Of the two texts at 06:34 and 06:35, the second one arrived first.
  const result = await tried(inboxOf(walletLog.slice(487, 509)), 113_90);
  expect(result).toMatchObject({ from: '2026-05-01T12:25:41.350Z', waiting_payments: [], questions_to_the_owner: [] });
});

test('an unread text that may be a payment waits', async () => {
  const receivedMs = Number(INBOX.at(-1)?.receivedMs) + MINUTE_MS;
  const unread = [
    { sender: 'MobileMoney', text: 'Kofi has sent you GHS 30.00. Transaction ID 99999999999.', receivedMs },
    { sender: 'MobileMoney', text: 'Happy new year from all of us!', receivedMs },
  ];
  const stranger = { sender: '+233241112223', text: 'Hello', receivedMs };
  const result = await tried([...INBOX, ...unread, stranger]);
  expect(result).toMatchObject({ texts: 253, wallet_texts: 252, read: 250, unread: 2, payments: PAYMENTS + 1 });
  expect(result.waiting_payments.at(-1)).toEqual({
    time: new Date(receivedMs).toISOString(),
    amount: null,
    verified_later: false,
    reason: 'its text could not be read',
  });
});

test('an inbox that cannot be tried is refused with what to do', async () => {
  const stranger = { sender: '+233241112223', text: 'Hello', receivedMs: 1 };
  const telecel = samples.find(({ sender }) => sender === 'T-CASH');
  const ofTelecel = { sender: 'T-CASH', text: String(telecel?.text), receivedMs: 1 };
  const advert = { sender: 'MobileMoney', text: 'Happy new year from all of us!', receivedMs: 1 };
  const wrong: [inbox: readonly InboxText[], balance: number, error: RegExp][] = [
    [
      INBOX,
      1_01,
      /^No text continues from a balance of GHS 1\.01\. Try the balance before the first text: --balance 9\.67$/,
    ],
    [[stranger, stranger], BALANCE, /^None of the 2 texts comes from a mobile money wallet\. Export/],
    [
      [ofTelecel, ...INBOX],
      BALANCE,
      /^The inbox has texts of several wallets\. Name one with --network TELECEL or --network MTN\.$/,
    ],
    [[advert], BALANCE, /^None of the 1 texts from the wallet states an amount and a balance/],
  ];
  for (const [inbox, balance, error] of wrong) await expect(tried(inbox, balance)).rejects.toThrow(error);
  const other = tryWallet(INBOX, { network: 'TELECEL', balancePesewas: BALANCE });
  await expect(other).rejects.toThrow(/^None of the 250 texts comes from TELECEL’s wallet\. Try another --network\.$/);
});
