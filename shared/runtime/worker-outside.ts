import { environment, queueUrlVariable } from './environment.ts';
import { type Outside, realOutside } from './outside.ts';
import { openQueues, type Queues } from './queues.ts';

/** What a function that no caller waits for may do besides: queue jobs. */
export interface WorkerOutside extends Outside {
  queues: Queues;
}

export function realWorkerOutside(): WorkerOutside {
  real ??= {
    ...realOutside(),
    queues: openQueues((queue) => environment(queueUrlVariable(queue)), process.env.SQS_ENDPOINT),
  };
  return real;
}

let real: WorkerOutside | undefined;
