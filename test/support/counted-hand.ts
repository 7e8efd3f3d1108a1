import type { Hand } from './hand.ts';

/** Counts each tap, filled field and choice as one press. */
export function countedHand(hand: Hand, presses: { count: number }): Hand {
  const one =
    <Given extends unknown[]>(run: (...given: Given) => Promise<void>) =>
    (...given: Given) => {
      presses.count++;
      return run(...given);
    };
  return {
    press: one(hand.press),
    type: one(hand.type),
    typeDay: one(hand.typeDay),
    tick: one(hand.tick),
    choose: one(hand.choose),
    send: one(hand.send),
  };
}
