import { html } from 'hono/html';
import type { Message } from '../../../texts/sms/message.table.ts';
import { type MessageState, messageStates } from '../../../texts/sms/states.ts';
import type { Html } from '../html.ts';
import { pill, type Tone } from '../parts/status.ts';

interface Shown {
  readonly word: string;
  readonly tone: Tone;
  /** For a person who sells cloth. */
  readonly means: string;
}

const states: Readonly<Record<MessageState, Shown>> = {
  pending: { word: 'Waiting', tone: 'waiting', means: 'It waits for its turn: a phone sends about 100 texts an hour.' },
  sending: { word: 'Leaving', tone: 'waiting', means: 'The phone has it and is about to send it.' },
  sent: { word: 'Sent', tone: 'good', means: 'The phone sent it. Some networks never say whether it arrived.' },
  delivered: { word: 'Delivered', tone: 'good', means: 'The network says that it arrived.' },
  failed: { word: 'Failed', tone: 'bad', means: 'It did not leave, or did not arrive. Its credit was given back.' },
};

export function statePill(state: MessageState): Html {
  return pill(states[state].tone, states[state].word);
}

export function meaningOf(state: MessageState): string {
  return states[state].means;
}

/** The states that a list can be narrowed to. */
export const stateOptions = messageStates.map((state) => [state, states[state].word] as const);

/** What became of all texts of a send, the worst first: a pill for each state that there is. */
export function statesOf(messages: readonly Pick<Message, 'state'>[]): Html {
  const counts = messageStates
    .map((state) => ({ state, count: messages.filter((one) => one.state === state).length }))
    .filter(({ count }) => count > 0)
    .toReversed();
  const pills = counts.map(({ state, count }) => {
    const { tone, word } = states[state];
    return pill(tone, messages.length === 1 ? word : `${count} ${word.toLowerCase()}`);
  });
  return html`<span class="pills">${pills}</span>`;
}
