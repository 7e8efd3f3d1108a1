import { existsSync } from 'node:fs';

/** Runs before `npm start`, `npm run demo` and `npm test`. Plain JavaScript, so that any version of Node can run it. */
if (!existsSync('node_modules')) {
  console.error('Run npm ci first. It installs the packages and, if yours is older than 24.3, a Node for the scripts.');
  process.exit(1);
}
