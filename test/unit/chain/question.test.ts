import { expect, test } from 'vitest';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import { withFailed } from '../../../shared/wallets/chain/guesses.ts';
import { newQuestion, type WhyAsked, whyAsked } from '../../../shared/wallets/chain/question.ts';
import { checkEach } from '../../support/check-each.ts';
import { at, chainAt, idOf, newChain, text } from './texts.ts';

const CHAIN = chainAt(0, 5037);
const look = { balance: 5100, difference: 63, at_ms: at(1) };
const push = { id: idOf(1), balance: 4000, at_ms: at(1), arrived_ms: at(1) };
const lost = text(1, 6000, 6100);
const asked = { ...lost, asked_ms: at(15) };
const young = { ...newChain(-13 * 60, 5037), links: 1, beyond_since_id: idOf(1) };
const unproven = { ...newChain(0, 5000), links: 1, recent: [{ id: idOf(1), balance: 5037, at_ms: at(1) }] };

test('a question has the most urgent reason', () =>
  checkEach<[why: WhyAsked | undefined, what: string, Chain, Movement[]?]>(
    [
      [undefined, 'a chain that nothing interrupts', CHAIN],
      ['look again', 'a balance that did not agree', withFailed({ ...CHAIN, look }, 3, at(1))],
      ['paused', 'guesses', withFailed({ ...CHAIN, pushes: [push] }, 3, at(1))],
      ['bank', 'a transfer to the bank', { ...CHAIN, pushes: [push] }, [asked]],
      [undefined, 'a transfer that the chain includes', { ...CHAIN, pushes: [{ ...push, id: idOf(0) }] }],
      ['break', 'texts that the owner was asked about', young, [asked]],
      [undefined, 'texts that the owner was not asked about', CHAIN, [lost]],
      ['above sum', 'payments above a young anchor’s sum', young],
      [undefined, 'payments above the sum after the second look', { ...CHAIN, beyond_since_id: 1 }],
      ['unproven', 'texts from a balance that anybody would try', unproven],
      [undefined, 'such a balance without texts', newChain(0, 5000)],
      [
        undefined,
        'a network of which too few texts are linked',
        { ...newChain(0, 5037), links: 1, known_since_ms: undefined },
      ],
    ],
    ([why, _, chain, waiting = []]) => expect(whyAsked(chain, waiting, at(20))).toBe(why),
  ));

test('the owner is asked once about each transfer, break and look', () =>
  checkEach<[question: ReturnType<typeof newQuestion>, what: string, Chain, Movement[]?]>(
    [
      [undefined, 'no question', CHAIN],
      [{ push }, 'a transfer', { ...CHAIN, pushes: [push] }],
      [undefined, 'a transfer asked about', { ...CHAIN, pushes: [{ ...push, asked_ms: at(2) }] }],
      [undefined, 'a break asked about', CHAIN, [asked]],
      [{ why: 'above sum' }, 'payments above the sum', young],
      [undefined, 'payments asked about since the last look', { ...young, asked_ms: at(1) }],
      [{ why: 'above sum' }, 'payments after another look', { ...young, asked_ms: at(1), looked_ms: at(2) }],
      [{ why: 'unproven' }, 'texts that prove nothing', unproven],
      // Other notices cover these.
      [undefined, 'guesses', withFailed(CHAIN, 3, at(1))],
      [undefined, 'a balance that did not agree', { ...CHAIN, look }],
    ],
    ([question, _, chain, waiting = []]) => expect(newQuestion(chain, waiting, at(20))).toEqual(question),
  ));

test('the owner is asked about texts that do not continue the head', () => {
  const question = newQuestion(CHAIN, [lost], at(20));
  expect(question).toMatchObject({ branch: { texts: [lost] } });
});
