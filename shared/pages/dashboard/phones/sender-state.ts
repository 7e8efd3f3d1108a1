import type { Phone } from '../../../phones/gateway/phone.table.ts';
import { isSilent } from '../../../phones/sender/phone-silence.ts';
import { failingSenders } from '../../../phones/sender/report-senders.ts';
import { type FaultReason, isInUse, type Sender } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Outcomes } from '../../../runtime/table/recent-outcomes.ts';
import type { Tone } from '../parts/status.ts';

/** A sender's state: a word, its colour, and what it means and what helps. */
interface SenderState {
  readonly tone: Tone;
  readonly word: string;
  readonly why: string;
}

/** What is known of a sender beside its own row. */
interface SenderSurroundings {
  readonly phone: Phone | undefined;
  readonly pingsSinceMs: number | undefined;
  readonly outcomes: readonly Outcomes[];
}

const faults: Readonly<Record<FaultReason, readonly [word: string, why: string]>> = {
  not_listed: [
    'Not at its gateway',
    'The gateway does not know this phone, or no such SIM in it. Check the device id and the SIM slot, and that the app is signed in.',
  ],
  no_account: [
    'No gateway account',
    'This stage has no gateway account of this name. Add it to the secret with the accounts.',
  ],
  gateway_rejects: ['Gateway refuses us', 'The gateway does not accept the account’s user name and password.'],
  gateway_silent: ['Gateway is silent', 'The gateway does not answer. Texts go on when it does.'],
};

/** Whether a number sends and its phone is heard; the most serious thing first. */
export function senderState(
  outside: Pick<Outside, 'now'>,
  sender: Sender,
  { phone, pingsSinceMs, outcomes }: SenderSurroundings,
): SenderState {
  const { enabled, receives_only, fault, held_back } = sender;
  if (!isInUse(sender))
    return {
      tone: 'plain',
      word: 'Disabled',
      why: 'It accepts no texts until it is enabled. What it hears still counts.',
    };
  if (fault) {
    const [word, why] = faults[fault.reason];
    return {
      tone: fault.is_lasting ? 'bad' : 'look',
      word,
      why: `${why}${fault.is_lasting ? ' It accepts no texts.' : ''}`,
    };
  }
  if (held_back === 'phone_not_seen')
    return {
      tone: 'bad',
      word: 'Phone is off',
      why: 'The gateway has not seen the phone for a quarter of an hour: no power, or no internet. It accepts no texts.',
    };
  if (isSilent(outside, sender, phone, pingsSinceMs))
    return {
      tone: 'bad',
      word: 'Not heard',
      why: 'The phone is on and posts nothing that is signed with its key: payments are not noticed. Check its signing key, its clock and its webhooks.',
    };
  if (failingSenders([sender], outcomes).length > 0)
    return {
      tone: 'look',
      word: 'Texts fail',
      why: 'Most of its last ten texts failed: the SIM may have no airtime or no signal.',
    };
  if (!phone)
    return {
      tone: 'waiting',
      word: 'Not heard yet',
      why: 'Its phone has posted nothing that it signed yet: a payment, or its next ping, shows that it is heard.',
    };
  if (!enabled && receives_only)
    return { tone: 'good', word: 'Receives', why: 'It is paid on and sends no texts. Its phone is heard.' };
  return { tone: 'good', word: 'Works', why: 'It sends, and its phone is heard.' };
}
