import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what one command needs beside the service's own packages, from the lockfile in that command's folder: once, and again when the
 * lockfile has changed. @throws an Error if npm fails.
 */
export function installOwnPackages(folder: string): void {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  const { description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  console.error(`Installing ${description}, into ${folder} …`);
  const { status } = spawnSync('npm', ['ci', '--silent', '--prefix', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm could not install what ${folder} needs. Run: npm ci --prefix ${folder}`);
  copyFileSync(lock, installed);
}
