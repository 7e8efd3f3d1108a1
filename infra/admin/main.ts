import { connect } from './deployment.ts';
import { createProgram } from './program.ts';

/** Runs the operator's command line, `npm run --silent admin -- …`. */
await createProgram(connect).parseAsync();
