import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { MetricName } from '../../shared/runtime/outside/metric-names.ts';
import { countOf, type Watched } from './alarms.ts';
import type { Settings } from './settings.ts';

/**
 * Creates the operator's dashboard: alarms, then business metrics, then infrastructure. More than fifty metrics would
 * cost money, so functions and consumed capacity have no graphs.
 */
export function createDashboard(
  scope: Construct,
  settings: Settings,
  watched: Watched & { readonly table: Table },
  alarms: readonly IAlarm[] = [],
): Dashboard {
  const { api, table, queues, onStream } = watched;
  const counts = (title: string, ...names: MetricName[]) =>
    graph(
      title,
      names.map((name) => countOf(settings, name, Stats.SUM).with({ label: name })),
    );
  const ofTable = (metricName: string) =>
    table.metric(metricName, { statistic: Stats.SUM, period: PERIOD, label: metricName });
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: settings.name,
    defaultInterval: Duration.hours(12),
    widgets: [
      alarms.length > 0 ? [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })] : [],
      [counts('Charges', ...CHARGES), counts('Receipts', ...RECEIPTS), counts('Texts', ...TEXTS)],
      [
        counts('Credits that were refunded', 'credits_refunded'),
        counts('Webhooks', 'webhook_tries_ok', 'webhook_tries_failed', 'webhooks_given_up', 'webhooks_disabled'),
        graph(
          'Problems found by housekeeping',
          GAUGES.map((name) => countOf(settings, name, Stats.MAXIMUM).with({ label: name })),
        ),
      ],
      [
        graph('API: requests and errors', [
          api.metrics.requests.with({ label: 'requests' }),
          api.metrics.clientErrors.with({ label: '4xx' }),
          api.metrics.serverErrors.with({ label: '5xx' }),
        ]),
        graph('API: latency (ms)', [api.metrics.slowestLatency.with({ label: 'p99' })]),
      ],
      [
        graph(
          'Queues: waiting jobs, including texts and webhooks for later',
          [...queues].flatMap(([name, { queue }]) => [
            queue.metricApproximateNumberOfMessagesVisible({ ...MOST, label: name }),
            ...(HAVE_LATER.has(name)
              ? [queue.metricApproximateNumberOfMessagesDelayed({ ...MOST, label: `${name}, for later` })]
              : []),
          ]),
        ),
        graph(
          'Delay of functions behind the table (ms)',
          [...onStream].map(([name, { fn }]) => fn.metric('IteratorAge', { ...MOST, label: name })),
        ),
        graph('Table', [ofTable('ReadThrottleEvents'), ofTable('WriteThrottleEvents')]),
      ],
    ],
  });
}

/** Queues whose jobs may wait for hours. In other queues, jobs wait a minute or two. */
const HAVE_LATER: ReadonlySet<string> = new Set(['deliver-sms', 'deliver-webhook']);

const CHARGES: MetricName[] = [
  'charges_created',
  'charges_paid',
  'charges_reversed',
  'payments_disputed',
  'claim_limits_reached',
];
const RECEIPTS: MetricName[] = [
  'receipts_matched',
  'receipts_held',
  'receipts_unread',
  'receipts_forged',
  'texts_of_strangers',
  'payments_refused',
  'wallets_near_limit',
];
const TEXTS: MetricName[] = [
  'texts_accepted',
  'texts_sent',
  'texts_delivered',
  'texts_failed',
  'codes_accepted',
  'codes_delivered',
  'codes_failed',
  'codes_without_sender',
];
const GAUGES: MetricName[] = [
  'housekeeping_runs',
  'phones_not_heard',
  'callbacks_not_understood',
  'senders_held_back',
  'senders_failing',
  'texts_overdue',
  'receipts_overdue',
  'follow_ups_overdue',
  'wallets_unread',
  'webhooks_off',
];
const PERIOD = Duration.minutes(5);
const MOST = { statistic: Stats.MAXIMUM, period: PERIOD };

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0, showUnits: false } });
}
