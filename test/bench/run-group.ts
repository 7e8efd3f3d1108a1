import { groups } from './groups.ts';

/** Measures the group that the parent process names, and sends it the figures. */
const [name = '', mostRows, short, ...ids] = process.argv.slice(2);
/** Two, where a figure needs those that it compares. */
const fewest = (usual: number) => Math.min(usual, 2);
const group = groups[name];
if (!group || !process.send) throw new Error('This is started by npm run bench');
process.send(
  await group.measure({
    isWanted: (id) => ids.includes(id),
    mostRows: Number(mostRows),
    samples: short === 'true' ? fewest : (usual) => usual,
  }),
);
process.disconnect();
