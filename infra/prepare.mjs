import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { installOwnPackages } from './own-packages.mjs';

/**
 * Runs at the end of `npm ci` with npm's own Node. The scripts need Node 24.3, which strips types without a warning. On
 * an older Node, this installs a Node binary for the scripts.
 */
const OLDEST = [24, 3];
const isWindows = process.platform === 'win32';
const program = isWindows ? 'node.exe' : 'node';

// npm's own version of Node. This process may be running on the binary installed below.
const { npm_config_user_agent: agent = `node/${process.version}`, npm_config_package_lock_only: isLockOnly } =
  process.env;
const [, major, minor] = /\bnode\/v(\d+)\.(\d+)/.exec(agent) ?? [];
const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
if (isOld && !isLockOnly) {
  installOwnPackages('infra/node');
  const { optionalDependencies } = JSON.parse(readFileSync('infra/node/package.json', 'utf8'));
  const installed = Object.keys(optionalDependencies)
    .map((name) => `infra/node/node_modules/${name}`)
    .find((folder) => existsSync(`${folder}/bin/${program}`));
  if (installed) {
    for (const unused of ['include', 'share']) rmSync(`${installed}/${unused}`, { recursive: true, force: true });
    const command = `node_modules/.bin/${program}`;
    mkdirSync('node_modules/.bin', { recursive: true });
    rmSync(command, { force: true });
    if (isWindows) copyFileSync(`${installed}/bin/${program}`, command);
    else symlinkSync(`../../${installed}/bin/${program}`, command);
  } else
    console.error(
      `No Node 24 is published for ${process.platform} on ${process.arch}. Install Node 24.3 or newer yourself.`,
    );
}

// Deployment installs do not have husky.
const husky = await import('husky').catch(() => undefined);
husky?.default();
