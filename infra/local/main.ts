import { parseArgs } from 'node:util';
import yoctoSpinner from 'yocto-spinner';
import { databaseKind } from './database-names.ts';
import type { StackOptions } from './stack.ts';

/** Entry point of `npm start`: the whole service on this machine, until Ctrl-C. */
const values = optionsOf(process.argv.slice(2));
const stopping = new Promise<void>((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());
  stopWithNpm(stop);
});

// Shows a spinner in a terminal, or lines in a log. Starts before the service is loaded, because loading takes up most
// of the first start.
const spinner = yoctoSpinner({ stream: process.stdout, handleSignals: false }).start('Loading the service');
try {
  const { startStack } = await import('./stack.ts');
  const { welcome } = await import('./welcome.ts');
  const starting = startStack({
    port: portOf(process.env.PORT),
    folder: process.env.LOCAL_DIR || '.local',
    database: databaseKind(process.env.DATABASE),
    say: (step) => {
      spinner.text = step;
    },
    ...values,
  });
  // A partly started stack has no unfinished work, and its DynamoDB Local ends with this process.
  const stack = await Promise.race([starting, stopping]);
  spinner.stop();
  if (stack) {
    console.log(welcome(stack));
    await stopping;
    await stack.stop();
  }
  process.exit(0);
} catch (error) {
  spinner.stop();
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function optionsOf(args: string[]): Pick<StackOptions, 'keep' | 'wallets'> {
  const flag = { type: 'boolean', default: false } as const;
  const options = { keep: flag, 'new-shop': flag };
  // npm keeps options that are not behind `--`.
  const [kept] = Object.keys(options).filter((name) => process.env[`npm_config_${name.replaceAll('-', '_')}`]);
  if (kept) {
    console.error(`Put -- before the options: npm start -- --${kept}`);
    process.exit(1);
  }
  try {
    const { keep, 'new-shop': isNew } = parseArgs({ args, options }).values;
    return { keep, wallets: isNew ? 'new' : 'named' };
  } catch {
    console.error(`Usage: npm start -- [--keep] [--new-shop]
  --keep       keeps the table between runs
  --new-shop   starts with a shop whose owner has not entered the wallet's balance, so no payment is verified
PORT, LOCAL_DIR and DATABASE (memory or dynamodb-local) are environment variables.`);
    process.exit(1);
  }
}

/** Calls `stop` when the shell between npm and this process ends. That shell does not forward npm's SIGTERM. */
function stopWithNpm(stop: () => void): void {
  const { ppid } = process;
  if (!process.env.npm_lifecycle_event) return;
  setInterval(() => process.ppid !== ppid && stop(), 200).unref();
}

function portOf(text = '3000'): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Error(`PORT is ${JSON.stringify(text)}. Set it to a number from 1 to 65535, or to 0 for any free port.`);
}
