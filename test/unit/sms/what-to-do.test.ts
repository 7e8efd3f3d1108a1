import { expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import type { Sender } from '../../../shared/phones/sender/sender.ts';
import { decideChecked, decideUnchecked, SPARE_RECEIVES } from '../../../shared/texts/sms/deliver-sms.ts';
import type { Message } from '../../../shared/texts/sms/message.table.ts';
import type { Send } from '../../../shared/texts/sms/send.table.ts';

type Todo = ReturnType<typeof decideUnchecked>;

const NOW_MS = Date.parse('2026-11-20T22:30:00Z');
const LATER_MS = Date.parse('2026-11-21T07:00:00.000Z');
const AT = '2026-11-20T20:00:00.000Z';

const own: Sender = {
  number: '+233241234567',
  network: 'MTN',
  gateway: 'phone',
  device_id: 'device-1',
  sim_number: 1,
  messages_per_hour: 60,
  enabled: true,
  created_at: AT,
  in_use_since: AT,
};
const other: Sender = { ...own, number: '+233201234567', network: 'TELECEL' };
const ended: Partial<Send> = { useless_at: AT };
const held: Partial<Send> = { quiet_hours: '21:00-07:00' };
const anySender: Partial<Send> = { any_sender: true };
const ofTest: Partial<Send> = { merchant_id: testAccountIdOf('shop') };

/** A text that may be sent at once, apart from these differences. */
interface Case {
  readonly send?: Partial<Send>;
  readonly message?: Partial<Message>;
  readonly senders?: readonly Sender[];
  readonly receivesLeft?: number;
  readonly hasTurn?: boolean;
  /** True if the check whether the text may be sent has been made. */
  readonly isChecked?: boolean;
  /** The reason why the text must not be sent. */
  readonly barred?: string;
}

function todoOf({ send, message, senders = [own, other], receivesLeft = 0, hasTurn = false, ...given }: Case) {
  const job = { send_id: 'send', index: 0, has_turn: hasTurn };
  const written = { send_id: 'send', merchant_id: 'shop', to: ['+233551112223'], message: '', created_at: AT };
  const found = {
    send: { ...written, from: own.number, ...send },
    message: { send_id: 'send', index: 0, state: 'pending' as const, ...message },
  };
  const [outside, delivery] = [{ now: () => NOW_MS }, { job, receivesLeft, senders }];
  const isChecked = given.isChecked || given.barred !== undefined;
  return isChecked ? decideChecked(outside, delivery, found, given.barred) : decideUnchecked(outside, delivery, found);
}

const failed: Partial<Message> = { state: 'failed', failure_reason: 'The gateway could not be reached' };
const disabled = { ...own, enabled: false };
const off = [disabled, other];
const sending: Partial<Message> = { state: 'sending' };
const step = (aside: Extract<Todo, { task: 'step aside' }>['aside']): Todo => ({ task: 'step aside', aside });

test.each<[what: string, given: Case, todo: Todo]>([
  [
    'its scheduled time',
    { send: { ...held, ...anySender, ...ended }, senders: off, barred: 'no' },
    step({ heldMs: LATER_MS }),
  ],
  ['its sender', { send: { ...anySender, ...ended }, senders: off, barred: 'no' }, step({ others: [other] })],
  ['its deadline', { send: { ...ofTest, ...ended } }, { task: 'expire' }],
  ['a further check', { send: ofTest }, undefined],
  ['a reason not to send', { send: ofTest, barred: 'no' }, { task: 'fail', reason: 'no' }],
  ['test mode', { send: ofTest, isChecked: true }, { task: 'play' }],
  ['its turn', { isChecked: true }, { task: 'queue', sender: own }],
  ['nothing else', { isChecked: true, hasTurn: true }, { task: 'hand over' }],
])('the action for an unsent text depends on %s', (_, given, todo) => {
  expect(todoOf(given)).toEqual(todo);
});

test.each<[what: string, given: Case, todo: Todo]>([
  [
    'a text waits for the sender that its merchant chose',
    { senders: off, isChecked: true },
    { task: 'queue', sender: disabled },
  ],
  [
    'a text keeps its sender if no other sender can send',
    { send: anySender, senders: [disabled], isChecked: true },
    { task: 'queue', sender: disabled },
  ],
  [
    'a text moves if its number has a new owner',
    { senders: [{ ...own, owner: 'bakery' }, other, { ...other, owner: 'shop' }] },
    step({ others: [{ ...other, owner: 'shop' }] }),
  ],
  ['a test text stays with its sender', { send: { ...ofTest, ...anySender }, senders: off }, undefined],
  ['a text without a sender is sent without a turn', { senders: [other], isChecked: true }, { task: 'hand over' }],
  [
    'a started test text continues',
    { send: { ...ofTest, ...held, ...ended }, message: sending, barred: 'no' },
    { task: 'play' },
  ],
  ['a failed test text is passed to the simulation', { send: ofTest, message: failed }, { task: 'play' }],
  [
    'an abandoned text becomes a dead letter',
    { message: failed, receivesLeft: SPARE_RECEIVES - 1 },
    { task: 'report', reason: 'The gateway could not be reached' },
  ],
  [
    'an abandoned text is not reported too early',
    { message: failed, receivesLeft: SPARE_RECEIVES },
    { task: 'forget' },
  ],
  [
    'a text that failed for another reason is not reported',
    { message: { ...failed, failure_reason: 'No' } },
    { task: 'forget' },
  ],
  ['a sent text needs no action', { send: { ...held, ...ended }, message: { state: 'sent' } }, { task: 'forget' }],
  ['a started text is not sent again in quiet hours', { send: held, message: sending }, { task: 'leave' }],
  ['a started text is not sent again after its deadline', { send: ended, message: sending }, { task: 'leave' }],
  ['a started text is checked first', { message: sending }, undefined],
  ['a started text is not sent again if barred', { message: sending, barred: 'no' }, { task: 'leave' }],
  ['a checked text is sent again without a turn', { message: sending, isChecked: true }, { task: 'hand over' }],
])('%s', (_, given, todo) => {
  expect(todoOf(given)).toEqual(todo);
});
