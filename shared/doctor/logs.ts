import { logGroupName, stackName } from '../runtime/stage/names.ts';
import type { Place } from '../runtime/stage/place.ts';

/** The command that shows what workers logged as going wrong in the last hour. Each line's stream names its function. */
export function errorsOfWorkers({ aws, stage }: Place): string {
  if (!aws) return 'see the terminal of "npm start"';
  return `aws logs tail ${logGroupName(stackName(stage), 'work')} --since 1h --filter-pattern '{ $.level != "INFO" }'`;
}
