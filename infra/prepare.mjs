import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';

/*
 * `npm ci` ends with this, on whichever Node runs npm. The lockfile pins a Node for each platform, and npm installs the one for
 * this machine; but npm 10, which comes with Node 20, takes away the command `node` of that one with those of the others.
 */
const isWindows = process.platform === 'win32';
const program = isWindows ? 'node.exe' : 'node';
const command = `node_modules/.bin/${program}`;
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const installed = Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}/bin/${program}`));
if (installed && !existsSync(command)) {
  if (isWindows) copyFileSync(`node_modules/${installed}/bin/${program}`, command);
  else symlinkSync(`../${installed}/bin/${program}`, command);
}

// Git's hook is for those who change the code: what only deploys has no husky.
const husky = await import('husky').catch(() => undefined);
husky?.default();
