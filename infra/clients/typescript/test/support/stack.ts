import type { DemoFacts } from '../../../../local/stack.ts';

export const facts: DemoFacts = JSON.parse(process.env.STACK_FACTS ?? '{}');
export const project = process.env.CLIENT_PROJECT ?? '';
export const tarball = process.env.CLIENT_TARBALL ?? '';
