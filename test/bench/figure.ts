import type { Estimate } from './measure.ts';

export interface Figure {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly interval?: Estimate['interval'];
  readonly gate?: number | undefined;
  readonly aim?: number | undefined;
  readonly detail?: string;
  /** The value's addends, in the same unit. */
  readonly parts?: Readonly<Record<string, number>>;
  /** Values by dashboard page. The figure is the largest of these values. */
  readonly pages?: Readonly<Record<string, number>>;
}

export function isMissed({ value, gate }: Figure): boolean {
  return gate !== undefined && value > gate;
}

export function isDoubtful({ interval, gate }: Pick<Figure, 'interval' | 'gate'>): boolean {
  return interval !== undefined && gate !== undefined && interval[0] <= gate && interval[1] > gate;
}

export function isAimMet({ value, aim }: Figure): boolean {
  return aim !== undefined && value <= aim;
}
