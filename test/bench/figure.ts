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
  readonly gate?: number | undefined;
  /** What the best implementations would reach. */
  readonly aim?: number | undefined;
  /** Details of what it consists of. */
  readonly detail?: string;
  /** The parts that it is the sum of, in the same unit. */
  readonly parts?: Readonly<Record<string, number>>;
  /** What it is of each page of the dashboard, in the same unit. The largest counts. */
  readonly pages?: Readonly<Record<string, number>>;
}

export function isMissed({ value, gate }: Figure): boolean {
  return gate !== undefined && value > gate;
}

/** Whether its interval lies on both sides of the gate. */
export function isDoubtful({ interval, gate }: Pick<Figure, 'interval' | 'gate'>): boolean {
  return interval !== undefined && gate !== undefined && interval[0] <= gate && interval[1] > gate;
}

export function isAimMet({ value, aim }: Figure): boolean {
  return aim !== undefined && value <= aim;
}
