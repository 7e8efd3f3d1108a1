import { groups } from './groups.ts';

/** Measures a group and sends the figures to the parent process. */
const [name = '', mostRows, short, ...ids] = process.argv.slice(2);
/** Some figures compare at least two samples. */
const fewest = (usual: number) => Math.min(usual, 2);
const group = groups[name];
if (!group || !process.send) throw new Error('This script cannot run alone. Start it with npm run bench.');
process.send(
  await group.measure({
    isWanted: (id) => ids.includes(id),
    mostRows: Number(mostRows),
    samples: short === 'true' ? fewest : (usual) => usual,
  }),
);
process.disconnect();
