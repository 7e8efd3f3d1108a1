import { audiences, logGroupName, stackName } from '../../runtime/stage/names.ts';
import type { Place } from '../../runtime/stage/place.ts';

/** The command that shows what workers logged as going wrong in the last hour. Each line's stream names its function. */
export function errorsOfWorkers({ aws, stage }: Place): string {
  if (!aws) return 'see the terminal of "npm start"';
  return `aws logs tail ${logGroupName(stackName(stage), 'work')} --since 1h --filter-pattern '{ $.level != "INFO" }'`;
}

/** The commands that show what IAM refused in the last hour: the message names role, action and resource. */
export function refusalsInLogs({ stage }: Place): string {
  const command = (log: string) =>
    `aws logs tail ${log} --since 1h --filter-pattern '{ $.error.name = "AccessDenied*" }'`;
  return audiences.map((audience) => command(logGroupName(stackName(stage), audience))).join(', ');
}
