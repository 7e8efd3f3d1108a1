import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { memoryClient } from '../../../infra/local/memory-dynamodb/client.ts';
import type { Input } from '../../../infra/local/memory-dynamodb/operations.ts';
import { withoutWaiting } from '../../../infra/local/memory-dynamodb/retry.ts';
import type { MemoryDynamoDb } from '../../../infra/local/memory-dynamodb.ts';
import { marshalled, unmarshalled } from './document.ts';

type Ask = (args: { readonly input: Input }) => Promise<{ readonly output: Record<string, unknown> }>;

type Around = (next: Ask, context: Context) => Ask;

interface Context {
  readonly commandName: string;
  readonly [SMITHY_CONTEXT]: { readonly operationSchema: readonly unknown[] };
}

const SMITHY_CONTEXT = '__smithy_context';
const FIRST_TRY = { getRetryCount: () => 0, getRetryDelay: () => 0 };

/**
 * Creates a client like `memoryClient`, but without serialisation and middleware, which slow down long simulations. The
 * SDK still decides whether to retry. The tests of `memoryClient` run against this client, too.
 */
export function wirelessClient(memory: MemoryDynamoDb): DynamoDBClient {
  const retries = withoutWaiting();
  const client = memoryClient(memory, retries);
  const { middlewareStack: sdk } = client;
  const steps: Around[] = [];
  const failures = new WeakMap<object, unknown>();
  sdk.add(
    (next, context) => (args) => {
      const failure = failures.get(context);
      failures.delete(context);
      return failure ? Promise.reject(failure) : next(args);
    },
    { step: 'finalizeRequest' },
  );

  const askFirst = (context: Context): Ask => {
    const operation = context.commandName.replace(/Command$/, '');
    const ask: Ask = async ({ input }) => {
      const { body, ...answer } = await memory.ask({ operation, input, attempt: 1 });
      if (answer.statusCode !== 200) throw await refusal(client, context, { ...answer, body: Buffer.from(body) });
      return { output: JSON.parse(body) };
    };
    return steps.reduceRight((next, step) => step(next, context), ask);
  };

  /** Returns a command's middleware stack, wrapped in the document client's stack. */
  const stackOf = (ofCommand: unknown, ofDocument?: unknown) => ({
    concat: (inner: unknown) => stackOf(inner, ofCommand),
    resolve: (handler: unknown, context: Context) => async (args: { readonly input: Record<string, unknown> }) => {
      const options = Reflect.get(client.config, 'translateConfig')?.marshallOptions;
      const input = ofDocument ? marshalled(args.input, options) : JSON.parse(JSON.stringify(args.input));
      try {
        const { output } = await askFirst(context)({ input });
        retries.recordSuccess(FIRST_TRY);
        return { output: { ...(ofDocument ? unmarshalled(output) : output), $metadata: {} } };
      } catch (failure) {
        failures.set(context, failure);
        const stacks = ofDocument ? [ofDocument, ofCommand] : [ofCommand];
        const whole = stacks.reduce<typeof sdk>((stack, next) => Reflect.apply(stack.concat, stack, [next]), sdk);
        return Reflect.apply(whole.resolve, whole, [handler, context])(args);
      }
    },
  });

  const add = (step: Around, options: { readonly step: string }) => {
    if (options.step !== 'finalizeRequest') throw new Error('This client supports only the step finalizeRequest');
    steps.push(step);
    Reflect.apply(sdk.add, sdk, [step, options]);
  };
  return Object.assign(client, { middlewareStack: { ...sdk, add, concat: stackOf } });
}

/** Parses an error response with the SDK's parser. */
async function refusal({ config }: DynamoDBClient, context: Context, response: object): Promise<unknown> {
  const [, namespace, name, traits, input, output] = context[SMITHY_CONTEXT].operationSchema;
  try {
    await Reflect.apply(config.protocol.deserializeResponse, config.protocol, [
      { namespace, name, traits, input, output },
      config,
      response,
    ]);
  } catch (error) {
    return error;
  }
  throw new Error('The SDK treated an error as a success');
}
