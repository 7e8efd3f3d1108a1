import { installOwnPackages } from '../infra/own-packages.mjs';
import { proofs } from './support/proofs.ts';

/**
 * `npm run prove -- NAME …` runs one of the long proofs. Without a name, it lists them. Arguments after the name are
 * passed to the proof.
 */
const [name = '--help'] = process.argv.splice(2, 1);
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (proof) {
  if (proof.packages) installOwnPackages(proof.packages);
  await proof.run();
} else {
  const isAsked = name === '--help';
  const list = Object.entries(proofs).map(([each, { about }]) => `  ${each.padEnd(14)}${about}`);
  const answer = `${isAsked ? 'npm run prove -- NAME [its options]' : `There is no proof "${name}". Name one of these:`}\n\n${list.join('\n')}`;
  if (isAsked) console.log(answer);
  else {
    console.error(answer);
    process.exitCode = 1;
  }
}
