import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../../functions/manifest.ts';
import { synthesise } from '../infra/cdk/synthesise.ts';
import { checksOf, evaluatorOf } from './iam.ts';
import type { RecordedCall } from './recorded-calls.ts';

/** Holds the calls that a run of the tests left in RECORDED_CALLS against the policies. Exit 1 if one is refused. */
const folder = process.env.RECORDED_CALLS ?? '';
const lines = globSync('*.jsonl', { cwd: folder }).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8').trim().split('\n'),
);
const calls = [...new Set(lines)].map((line): RecordedCall => JSON.parse(line));
// The evaluator's wildcards end at a line break, which the tests of bad input write into keys; AWS's do not.
const checks = calls.flatMap(checksOf).filter(({ keys }) => !keys.some((key) => /[\n\r\u2028\u2029]/.test(key)));
const allows = evaluatorOf(synthesise(), 'momo-kiosk-dev');
const refused = checks.filter((check) => !allows(check));
const functions = new Set(calls.map(({ name }) => name));
console.log(
  `IAM by another's evaluator: ${checks.length} checks of ${calls.length} recorded calls of ${functions.size} functions (of ${Object.keys(manifest).length}), ${refused.length} refused`,
);
for (const { name, action, index = '', keys } of refused) console.error(`${name} ${action} ${index} ${keys.join(' ')}`);
if (refused.length > 0 || calls.length === 0) process.exitCode = 1;
