import { startOwnStack } from '../../../../local/story/own-stack.ts';

let stack: Awaited<ReturnType<typeof startOwnStack>> | undefined;

export async function globalSetup(): Promise<void> {
  stack = await startOwnStack();
  process.env.STACK_FACTS = JSON.stringify(stack.facts);
}

export async function globalTeardown(): Promise<void> {
  await stack?.stop();
}
