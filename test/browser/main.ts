/**
 * `npm run prove -- browser` checks every page and every story of the dashboard on a phone and a desktop, in light and
 * dark, each story by hand, without JavaScript and by keyboard alone, every state of the checkout page, and the whole
 * reference. It accepts Vitest's arguments, such as `-- test/browser/dashboard-texts -t 'key is created'`.
 */
process.env.PROOFS = 'whole';
if (!process.argv.some((argument) => argument.startsWith('test/'))) process.argv.push('test/browser/');
await import('../run.ts');
