import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ScheduleRow } from '../../shared/runtime/triggers/row.ts';

/**
 * Calls a function again and again. A call that fails is not repeated: the next one does the same work. EventBridge only puts
 * the call into a queue of Lambda's own, which has retries of its own: two by default, beside the calls that follow.
 */
export function callEvery(fn: LambdaFunction, row: ScheduleRow, ruleName: string): void {
  fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  new Rule(fn, 'Schedule', {
    // By which `doctor` finds it.
    ruleName,
    schedule: Schedule.rate(Duration.minutes(row.everyMinutes)),
    targets: [new Target(fn, { retryAttempts: 0, maxEventAge: Duration.minutes(row.everyMinutes) })],
  });
}
