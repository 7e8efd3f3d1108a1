import { expect, test } from 'vitest';
import { synthesise } from './synthesise.ts';

test('the budget sends an email at 80 %', () => {
  const [budget] = synthesise({ monthlyBudget: '20', alarmEmail: 'ops@example.com' }).all('AWS::Budgets::Budget');
  expect(budget?.Properties).toMatchObject({
    Budget: { BudgetName: 'momo-kiosk-dev-monthly', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 20, Unit: 'USD' } },
    NotificationsWithSubscribers: [
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80, ThresholdType: 'PERCENTAGE' } },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100, ThresholdType: 'PERCENTAGE' } },
    ],
  });
  expect(JSON.stringify(budget?.Properties).match(/ops@example.com/g)).toHaveLength(2);
});

test('a budget is created only if an amount is set', () => {
  expect(synthesise({ alarms: 'on', alarmEmail: 'ops@example.com' }).all('AWS::Budgets::Budget')).toEqual([]);
});
