import type { DemoFacts } from '../../../../local/stack.ts';

/** The local stack that all test files share. */
export const facts: DemoFacts = JSON.parse(process.env.STACK_FACTS ?? '{}');
/** A project that has installed the packed client. */
export const project = process.env.CLIENT_PROJECT ?? '';
export const tarball = process.env.CLIENT_TARBALL ?? '';
