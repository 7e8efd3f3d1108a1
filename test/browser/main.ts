/**
 * `npm run prove -- browser` checks every page and every story of the dashboard on a phone and a desktop, in light and
 * dark mode, by touch, by keyboard and without JavaScript. Accepts Vitest's arguments, such as `--
 * test/browser/dashboard-texts -t 'key is created'`.
 */
process.env.PROOFS = 'whole';
if (!process.argv.some((argument) => argument.startsWith('test/'))) process.argv.push('test/browser/');
await import('../run.ts');
