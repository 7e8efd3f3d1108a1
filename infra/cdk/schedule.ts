import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ScheduleRow } from '../../shared/runtime/triggers/row.ts';

/** Calls a function periodically. Disables Lambda's two retries, because the next call does the same work. */
export function callEvery(fn: LambdaFunction, row: ScheduleRow, ruleName: string): void {
  fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  new Rule(fn, 'Schedule', {
    ruleName,
    schedule: Schedule.rate(Duration.minutes(row.everyMinutes)),
    targets: [new Target(fn, { retryAttempts: 0, maxEventAge: Duration.minutes(row.everyMinutes) })],
  });
}
