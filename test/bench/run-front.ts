import { startFront } from '../../infra/local/front.ts';

/** The HTTP front in a process of its own, on the table and database of the environment, until the parent process ends it. */
await startFront(Number(process.argv[2]));
process.send?.('ready');
process.on('disconnect', () => process.exit());
