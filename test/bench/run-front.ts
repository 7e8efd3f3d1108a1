import { startFront } from '../../infra/local/front.ts';

/** Runs the HTTP front as a separate process until the parent ends it. */
await startFront(Number(process.argv[2]));
process.send?.('ready');
process.on('disconnect', () => process.exit());
