import * as z from 'zod/mini';
import { at } from './at.ts';
import { mtn, mtnExamples, mtnTexts } from './mtn.ts';
import type { NetworkExamples, NetworkFacts, NetworkTexts } from './network-facts.ts';
import { telecel, telecelExamples, telecelTexts } from './telecel.ts';

/**
 * The mobile money networks of Ghana. Numbers are portable between them, so a prefix decides nothing: it only proposes a network to a
 * person, who is told which.
 */
export const Network = z.enum(['MTN', 'TELECEL', 'AT']);
export type Network = z.infer<typeof Network>;

export const networks: Readonly<Record<Network, NetworkFacts>> = { MTN: mtn, TELECEL: telecel, AT: at };

/** Of the networks whose texts can be read. */
export const networkTexts: Readonly<Partial<Record<Network, NetworkTexts>>> = { MTN: mtnTexts, TELECEL: telecelTexts };

export const networkExamples: Readonly<Partial<Record<Network, NetworkExamples>>> = {
  MTN: mtnExamples,
  TELECEL: telecelExamples,
};

/** `MTN, TELECEL or AT` */
export function anyNetwork(): string {
  return Network.options.join(', ').replace(/, (?!.*, )/, ' or ');
}

/** Of Glo, which has closed; its numbers may have moved to the others. */
const CLOSED_PREFIXES = ['23'];

/** The network that gave a number out, as `parsePhoneNumber` gives it; undefined where that says nothing. The number may have moved since. */
export function usualNetwork(number: string): Network | undefined {
  return Network.options.find((network) => beginsWithOne(number, networks[network].prefixes));
}

/**
 * Whether a number as `parsePhoneNumber` gives it is a mobile one. By the prefixes that Ghana's National Communications
 * Authority has assigned; 03… are landlines, and no others exist.
 */
export function isMobileNumber(number: string): boolean {
  return usualNetwork(number) !== undefined || beginsWithOne(number, CLOSED_PREFIXES);
}

function beginsWithOne(number: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => number.startsWith(`+233${prefix}`));
}

/** What a merchant has to know of a network whose texts cannot be read; undefined for the others. */
export function unreadNote(network: Network): string | undefined {
  const { name, isRead } = networks[network];
  return isRead
    ? undefined
    : `Texts of ${name} cannot be read yet: payments to it arrive as texts that were not understood: you check them, and mark their bills as paid.`;
}

/** The rules of a style sheet that give a thing of a network, by its name in small letters, the network's colours. */
export function networkStyles(selector: string): string {
  return Network.options
    .map((network) => {
      const { back, text, edge } = networks[network].colours;
      const line = edge ? `;box-shadow:inset 0 -6px 0 ${edge};padding-bottom:20px` : '';
      return `.${network.toLowerCase()}${selector}{background:${back};color:${text}${line}}`;
    })
    .join('');
}
