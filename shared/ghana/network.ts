import * as z from 'zod/mini';
import { at } from './at.ts';
import { mtn, mtnExamples, mtnTexts } from './mtn.ts';
import type { NetworkExamples, NetworkFacts, NetworkTexts } from './network-facts.ts';
import { telecel, telecelExamples, telecelTexts } from './telecel.ts';

/** Ghana's mobile money networks. Numbers are portable, so a prefix only suggests a network. */
export const Network = z.enum(['MTN', 'TELECEL', 'AT']);
export type Network = z.infer<typeof Network>;

export const networks: Readonly<Record<Network, NetworkFacts>> = { MTN: mtn, TELECEL: telecel, AT: at };

export const networkTexts: Readonly<Partial<Record<Network, NetworkTexts>>> = { MTN: mtnTexts, TELECEL: telecelTexts };

export const networkExamples: Readonly<Partial<Record<Network, NetworkExamples>>> = {
  MTN: mtnExamples,
  TELECEL: telecelExamples,
};

export function anyNetwork(): string {
  return Network.options.join(', ').replace(/, (?!.*, )/, ' or ');
}

/** Prefix of Glo, which has shut down. */
const CLOSED_PREFIXES = ['23'];

/**
 * Returns the network that originally issued a number, or undefined if unknown. The number may have been ported since.
 */
export function usualNetwork(number: string): Network | undefined {
  return Network.options.find((network) => beginsWithOne(number, networks[network].prefixes));
}

/**
 * True if a number returned by `parsePhoneNumber` has a mobile prefix assigned by the National Communications
 * Authority.
 */
export function isMobileNumber(number: string): boolean {
  return usualNetwork(number) !== undefined || beginsWithOne(number, CLOSED_PREFIXES);
}

function beginsWithOne(number: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => number.startsWith(`+233${prefix}`));
}

/** Returns a note for merchants if texts from this network cannot be parsed. */
export function unreadNote(network: Network): string | undefined {
  const { name, isRead } = networks[network];
  return isRead
    ? undefined
    : `Payment messages from ${name} cannot be read yet. Check each one yourself, and mark its bill as paid.`;
}

/** Returns CSS rules with each network's colours. The class is the network's name in lower case. */
export function networkStyles(selector: string): string {
  return Network.options
    .map((network) => {
      const { back, text, edge } = networks[network].colours;
      const line = edge ? `;box-shadow:inset 0 -6px 0 ${edge};padding-bottom:20px` : '';
      return `.${network.toLowerCase()}${selector}{background:${back};color:${text}${line}}`;
    })
    .join('');
}
