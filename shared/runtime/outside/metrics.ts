import { Metrics as EmbeddedMetrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MetricName } from './metric-names.ts';

export interface Metrics {
  count(name: MetricName, n?: number): void;
}

export const embeddedMetrics: Metrics = {
  count: (name, n = 1) => {
    made ??= new EmbeddedMetrics();
    made.addMetric(name, MetricUnit.Count, n);
  },
};

export function publishMetrics(): void {
  if (made?.hasStoredMetrics()) made.publishStoredMetrics();
}

let made: EmbeddedMetrics | undefined;
