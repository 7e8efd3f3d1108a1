import * as z from 'zod/mini';
import { at } from './at.ts';
import { mtn, mtnExamples, mtnTexts } from './mtn.ts';
import type { NetworkExamples, NetworkFacts, NetworkTexts } from './network-facts.ts';
import { telecel, telecelExamples, telecelTexts } from './telecel.ts';

/**
 * The mobile money networks of Ghana. Numbers are portable between them, so a network is always given explicitly, never derived
 * from a prefix.
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

/** What a merchant has to know of a network whose texts cannot be read; undefined for the others. */
export function unreadNote(network: Network): string | undefined {
  const { name, isRead } = networks[network];
  return isRead
    ? undefined
    : `Texts of ${name} cannot be read yet: payments to it arrive as texts that were not understood, for you to check.`;
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
