/**
 * Alarm severities: act now, or wait until morning. The key is the prefix of the alarm's name and selects the channel.
 */
export const severities = { 'money-stops': 'Money stops', 'look-tomorrow': 'Look tomorrow' } as const;
export type Severity = keyof typeof severities;

/** Alarms that a bad release triggers even without traffic. Each of these alarms rolls back a deployment. */
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
