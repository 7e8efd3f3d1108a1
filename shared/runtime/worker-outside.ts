import { environment, queueUrlVariable } from './environment.ts';
import { type Outside, realOutside } from './outside.ts';
import { type PublicAnswer, type PublicPost, postPublic } from './post-public.ts';
import { openQueues, type Queues } from './queues.ts';

/** What a function that no caller waits for may do besides: queue jobs. */
export interface WorkerOutside extends Outside {
  queues: Queues;
  /** Posts to an address that a merchant chose, if it is on the public internet. */
  postPublic(request: PublicPost): Promise<PublicAnswer>;
}

export function realWorkerOutside(): WorkerOutside {
  const outside = realOutside();
  real ??= {
    ...outside,
    postPublic: (request) => postPublic(request, { allowAnyHost: outside.webhooksToAnyHost }),
    queues: openQueues((queue) => environment(queueUrlVariable(queue)), process.env.SQS_ENDPOINT),
  };
  return real;
}

let real: WorkerOutside | undefined;
