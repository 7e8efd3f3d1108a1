import { parseArgs } from 'node:util';
import { isMissed, WHOLE, walls } from './walls.ts';

/**
 * Entry point of `npm run prove -- scale`: the service at its designed sizes, in virtual time, against AWS's limits.
 * Prints each measured limit next to its gate and exits with 1 if a gate is missed. `-- charges` measures only that
 * limit, and `--seconds 5` shortens the measurement.
 */
const { values, positionals } = parseArgs({ options: { seconds: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(walls, name));
if (unknown.length > 0) {
  console.error(`There is no wall ${unknown.join(', ')}. Name some of ${Object.keys(walls).join(', ')}.`);
  process.exit(2);
}
const load = { ...WHOLE, ...(values.seconds && { seconds: Number(values.seconds) }) };
let missed = 0;
for (const [name, measure] of Object.entries(walls)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const figure of await measure(load)) {
    const { what, value, most, unit } = figure;
    if (isMissed(figure)) missed++;
    const measured = `${value.toFixed(2)} ${unit}`.trim();
    console.log(
      `${isMissed(figure) ? 'MISSED' : 'met   '}  ${name}: ${what}: ${measured}, at most ${most} ${unit}`.trim(),
    );
  }
}
process.exit(missed > 0 ? 1 : 0);
