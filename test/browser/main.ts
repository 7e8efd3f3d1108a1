/**
 * `npm run prove -- browser` checks every page and every story of the dashboard on a phone and a desktop, in light and
 * dark mode. Each story is played by touch, without JavaScript and by keyboard alone. Every state of the checkout page
 * and the whole reference are also checked. Accepts Vitest's arguments, such as `-- test/browser/dashboard-texts -t
 * 'key is created'`.
 */
process.env.PROOFS = 'whole';
if (!process.argv.some((argument) => argument.startsWith('test/'))) process.argv.push('test/browser/');
await import('../run.ts');
