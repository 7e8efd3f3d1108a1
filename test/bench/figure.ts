import type { Estimate } from './measure.ts';

/** One line of the scoreboard. */
export interface Figure {
  /** `P1` */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly interval?: Estimate['interval'];
  /** The most it may be; a figure without one is only printed. */
  readonly gate?: number;
  /** What the best in the world would reach. */
  readonly aim?: number;
  /** What it was made of, for whoever wants to know more. */
  readonly detail?: string;
}

export function isMissed({ value, gate }: Figure): boolean {
  return gate !== undefined && value > gate;
}

export function isAimMet({ value, aim }: Figure): boolean {
  return aim !== undefined && value <= aim;
}
