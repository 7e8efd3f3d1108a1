import { Metrics as EmbeddedMetrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MetricName } from './metric-names.ts';

export interface Metrics {
  /** Adds `n` to a metric. Published when the function has finished. */
  count(name: MetricName, n?: number): void;
}

export const embeddedMetrics: Metrics = {
  count: (name, n = 1) => {
    made ??= new EmbeddedMetrics();
    made.addMetric(name, MetricUnit.Count, n);
  },
};

/** Writes the counts as one line in CloudWatch's embedded metric format. */
export function publishMetrics(): void {
  if (made?.hasStoredMetrics()) made.publishStoredMetrics();
}

let made: EmbeddedMetrics | undefined;
