/** Whether an alarm wakes somebody, or waits for the morning. It begins the alarm's name, by which a channel is chosen. */
export const severities = { 'money-stops': 'Money stops', 'look-tomorrow': 'Look tomorrow' } as const;
export type Severity = keyof typeof severities;

/** The alarms that a bad release raises whatever the traffic: while it is deployed, each of them takes it back. */
export const rollbackAlarms = [
  'customers-see-errors',
  'api-fails',
  'housekeeping-silent',
  'follow-up-late',
  'receipts-overdue',
] as const;

export function alarmName(stack: string, severity: Severity, name: string): string {
  return `${stack}-${severity}-${name}`;
}
