import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { DemoFacts } from '../../../../local/stack.ts';

export const facts: DemoFacts = JSON.parse(process.env.STACK_FACTS ?? '{}');

export const testKeys = { MOMO_SECRET_KEY: facts.test_secret_key, MOMO_SMS_SECRET_KEY: facts.test_sms_secret_key };
export const liveKeys = { MOMO_SECRET_KEY: facts.secret_key, MOMO_SMS_SECRET_KEY: facts.sms_secret_key };

export async function agent(context: TestContext, environment: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/main.js'],
    env: { PATH: process.env.PATH ?? '', MOMO_URL: facts.base_url, ...environment },
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(transport);
  context.after(() => client.close());
  const { tools } = await client.listTools();
  let calls = 0;
  return {
    tools,
    instructions: client.getInstructions(),
    calls: () => calls,
    /** Returns the text shown to the agent and whether it is an error. */
    async call(name: string, given: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
      calls += 1;
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      const [first] = Array.isArray(content) ? content : [];
      return { text: first?.type === 'text' ? first.text : '', isError: isError === true };
    },
  };
}
