import { html } from 'hono/html';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { type ShownProof, shownProofOf } from '../../../money/receipt/shown-proof.ts';
import { type Html, pill, type Tone } from '../parts/content.ts';
import { heldWords, LOOK_FIRST, proofWords } from './held-words.ts';

/** A form that gives a payment away: what it says of the proof, and has sent along; and its button. */
export interface GiveWords {
  readonly warning: Html | '';
  readonly carries: { readonly shown: ShownProof };
  readonly submit: string;
}

/** The words of a form by which a person answers for a held payment. Where it is not verified, to press the button says that the money is there. */
export function giveWords(receipt: Receipt, amount: string): GiveWords {
  const shown = shownProofOf(receipt);
  const carries = { shown };
  if (shown === 'verified') return { warning: '', carries, submit: `Yes, give ${amount}` };
  const [tone, word] = BADGES[shown];
  const why =
    shown === 'contradicted' ? heldWords(receipt).why : `${proofWords(receipt) ?? 'Nothing is known of its proof'}.`;
  const warning = html`<p>${pill(tone, word)}</p><p><b>${LOOK_FIRST}</b></p><p class="hint">${why}</p>`;
  return { warning, carries, submit: `The money is there: give ${amount}` };
}

const BADGES: Readonly<Record<Exclude<ShownProof, 'verified'>, readonly [Tone, string]>> = {
  checking: ['waiting', 'Being checked'],
  unverified: ['bad', 'Not verified'],
  contradicted: ['bad', 'In doubt'],
};
