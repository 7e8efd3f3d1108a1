import type { DemoFacts } from '../../../../local/stack.ts';

/** The local stack shared by all test files. */
export const facts: DemoFacts = JSON.parse(process.env.STACK_FACTS ?? '{}');
/** A project with the packed client installed. */
export const project = process.env.CLIENT_PROJECT ?? '';
export const tarball = process.env.CLIENT_TARBALL ?? '';
