import { measureCalls } from './calls.ts';
import { measureColdStart } from './cold-start.ts';
import { countRequests } from './counts.ts';
import { measureCpu } from './cpu.ts';
import type { Figure } from './figure.ts';
import { measureFirstPaint } from './first-paint.ts';
import { measureGrowth } from './growth.ts';
import { measureLatency } from './latency.ts';
import { countPages } from './pages.ts';
import { priceStories } from './price.ts';
import { measureThroughput } from './throughput.ts';

export interface Order {
  readonly isWanted: (id: string) => boolean;
  readonly mostRows: number;
  /** Returns the number of samples per figure. */
  readonly samples: (usual: number) => number;
}

interface Group {
  readonly ids: readonly string[];
  /** Set if the figures need DynamoDB Local. */
  readonly isOfLocal?: true;
  readonly measure: (order: Order) => Promise<Figure[]>;
}

export const groups: Readonly<Record<string, Group>> = {
  latency: { ids: ['P1', 'P2', 'P3', 'P5'], isOfLocal: true, measure: measureLatency },
  cpu: { ids: ['P4'], isOfLocal: true, measure: measureCpu },
  coldStart: { ids: ['P6', 'P7'], measure: measureColdStart },
  counts: { ids: ['P8', 'P9'], measure: countRequests },
  price: { ids: ['P10'], measure: priceStories },
  throughput: { ids: ['P11'], isOfLocal: true, measure: measureThroughput },
  growth: { ids: ['P12'], isOfLocal: true, measure: measureGrowth },
  pages: { ids: ['P13', 'P14'], measure: countPages },
  calls: { ids: ['P17', 'P18', 'P19'], isOfLocal: true, measure: measureCalls },
  firstPaint: { ids: ['P15', 'P16'], measure: measureFirstPaint },
};
