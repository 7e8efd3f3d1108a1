import { connect } from './deployment.ts';
import { createProgram } from './program.ts';

/** `npm run --silent admin -- …`: the operator's command line. */
await createProgram(connect).parseAsync();
