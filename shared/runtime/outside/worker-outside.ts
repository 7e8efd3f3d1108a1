import type { Context } from 'aws-lambda';
import { environment, queueUrlVariable } from './environment.ts';
import { logInvocation } from './log.ts';
import { embeddedMetrics, type Metrics, publishMetrics } from './metrics.ts';
import type { Outside } from './outside.ts';
import type { PublicAnswer, PublicPost } from './post-public.ts';
import { openQueues, type Queues } from './queues.ts';
import { realOutside } from './real-outside.ts';

export interface WorkerOutside extends Outside {
  queues: Queues;
  postPublic(post: PublicPost): Promise<PublicAnswer>;
  metrics: Metrics;
}

export interface Worker<Row, Event, Result> {
  (event: Event, context?: Context): Promise<Result>;
  readonly with: (outside: WorkerOutside) => (event: Event) => Promise<Result>;
  readonly row: Row;
}

export function worker<Row, Event, Result>(
  row: Row,
  workWith: Worker<Row, Event, Result>['with'],
): Worker<Row, Event, Result> {
  const handler = (event: Event, context?: Context) => withRealOutside(context, (outside) => workWith(outside)(event));
  return Object.assign(handler, { with: workWith, row });
}

export async function withRealOutside<Result>(
  context: Context | undefined,
  work: (outside: WorkerOutside) => Promise<Result>,
): Promise<Result> {
  if (context) logInvocation(context);
  try {
    return await work(realWorkerOutside());
  } finally {
    publishMetrics();
  }
}

function realWorkerOutside(): WorkerOutside {
  const outside = realOutside();
  real ??= {
    ...outside,
    // Load the module on first use, because most workers never post to a URL.
    postPublic: async (post) => {
      const { postPublic } = await import('./post-public.ts');
      return postPublic(post, { allowThisMachine: outside.allowsThisMachine });
    },
    queues: openQueues((queue) => environment(queueUrlVariable(queue)), process.env.SQS_ENDPOINT),
    metrics: embeddedMetrics,
  };
  return real;
}

let real: WorkerOutside | undefined;
