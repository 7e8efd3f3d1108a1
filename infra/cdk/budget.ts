import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Settings } from './settings.ts';

/** In a hundred of the budget: what was spent, and where the month is heading by AWS's own forecast. */
const SPENT = 80;
const FORECAST = 100;

/**
 * Mails before a bill surprises, if the stage has a budget. AWS Budgets looks a few times a day and stops nothing. It counts the
 * whole account: costs are separated by tag only once somebody activates the tag for the account's bills.
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
