import { readFileSync } from 'node:fs';
import { wordsOf } from './admin-commands.ts';

const ADMIN = /^\s*npm run (?:--silent )?admin -- /;

/** Returns the operator commands in a document's code blocks, or in one section's, each as a list of words. */
export function documentedCommands(file: string, heading?: string): string[][] {
  const text = readFileSync(file, 'utf8');
  const section = heading === undefined ? text : sectionOf(text, heading);
  const blocks = [...section.matchAll(/^[ \d.]*```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'))
    .filter((line) => ADMIN.test(line))
    .map((line) => wordsOf(line.replace(ADMIN, '').replace(/\s+#.*$/, '')));
}

function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`There is no section ${heading}`);
  return section.split('\n## ')[0] ?? '';
}
