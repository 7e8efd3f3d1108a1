import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documented in own-packages.d.mts. Plain JavaScript, because `npm ci` runs this file with any version of Node. */
export function installOwnPackages(folder) {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return false;
  const { description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  console.error(`Installing ${description}, into ${folder} …`);
  const { npm_execpath: npm } = process.env;
  const given = ['ci', '--silent', '--include=optional', '--prefix', folder];
  const [command, args] = npm ? [process.execPath, [npm, ...given]] : ['npm', given];
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install what ${folder} needs. Run: npm ci --prefix ${folder}`);
  copyFileSync(lock, installed);
  return true;
}
