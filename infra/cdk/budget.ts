import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Settings } from './settings.ts';

const SPENT = 80;
const FORECAST = 100;

/**
 * Creates a monthly budget that sends an e-mail. AWS checks the cost a few times a day and does not stop anything. The
 * budget covers the whole account, because a smaller budget would need cost tags, which must be activated first.
 */
export function createBudget(stack: Stack, { name, monthlyBudgetDollars, alarmEmail }: Settings): void {
  if (monthlyBudgetDollars === undefined || !alarmEmail) return;
  const mailAt = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
  });
  new CfnBudget(stack, 'Budget', {
    budget: {
      budgetName: `${name}-monthly`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: [mailAt('ACTUAL', SPENT), mailAt('FORECASTED', FORECAST)],
  });
}
