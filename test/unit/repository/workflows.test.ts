import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const workflows = globSync('.github/workflows/*.yml').map((file) => readFileSync(file, 'utf8'));

test('each landing runs the tests and a slice of the proofs, here and on GitHub', () => {
  const ci = readFileSync('.github/workflows/ci.yml', 'utf8');
  const run = readFileSync('.ci/run', 'utf8');
  for (const command of ['npm ci', 'npm run check', 'npm test', 'npm run prove -- quick']) {
    expect(ci).toContain(`- run: ${command}\n`);
    expect(run).toContain(`'${command}'`);
  }
});

test('actions are pinned to a commit', () => {
  const uses = workflows.flatMap((text) => [...text.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action = '']) => action));
  expect(uses.length).toBeGreaterThan(3);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the nightly run includes all long checks', () => {
  const proofs = readFileSync('.github/workflows/proofs.yml', 'utf8');
  expect(proofs).toMatch(/^ {2}schedule:\n {4}- cron: '\d+ \d+ \* \* \*'$/m);
  const [, ...jobs] = (proofs.split(/^jobs:\n/m)[1] ?? '').split(/^ {2}(?=[a-z]+:$)/m);
  const runs = jobs.map((job) => [...job.matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command));
  expect(runs.map((run) => run.join())).toEqual(
    ['all', 'clients --all', 'emulate'].map((proof) => `npm ci,npm run prove -- ${proof}`),
  );
});

test('tests run without Python', () => {
  for (const file of ['test/run.ts', 'test/proofs.ts', '.github/workflows/ci.yml'])
    expect(readFileSync(file, 'utf8')).not.toMatch(/emulate|python/i);
});

test('release notes consist of the changelog’s Unreleased section', () => {
  const folder = copyWithChangelog(
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Tea.\n\n## [0.1.0] - 2026-11-20\n\n- Water.\n',
  );
  changelog(folder, 'release');
  const today = new Date().toISOString().slice(0, 10);
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(
    `# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - ${today}\n\n### Added\n\n- Tea.\n\n## [0.1.0] - 2026-11-20\n\n- Water.\n`,
  );
  expect(changelog(folder, 'notes', '1.2.3').trim()).toBe('### Added\n\n- Tea.');
  expect(changelog(folder, 'notes', '0.1.0').trim()).toBe('- Water.');
});

test('a release without a changelog entry is rejected', () => {
  const folder = copyWithChangelog('# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-20\n\n- Water.\n');
  expect(() => changelog(folder, 'release')).toThrow('CHANGELOG.md says nothing about Unreleased');
  expect(() => changelog(folder, 'notes', '0.2.0')).toThrow('CHANGELOG.md says nothing about 0.2.0');
});

test.each([
  ['credits: refund texts that never left', true],
  ['texts, webhook: say what to do', true],
  [`a: ${'x'.repeat(69)}`, true],
  [`a: ${'x'.repeat(70)}`, false],
  ['What is told of credits', false],
  ['Credits: refund texts', false],
  ['credits:', false],
  ['fixup! credits: refund texts that never left, with more than seventy-two characters', true],
  ['Merge branch main', true],
  ['1.1.0', true],
])('the commit subject %j is valid: %s', (subject, isAccepted) => {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'message');
  writeFileSync(file, `# a comment\n${subject}\n\nThe body may be longer.\n`);
  const check = () => execFileSync(join('.ci', 'commits'), [file], { stdio: 'pipe' });
  if (isAccepted) expect(check).not.toThrow();
  else expect(check).toThrow('Not committed: the subject');
});

function copyWithChangelog(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-changelog-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync('.ci', join(folder, '.ci'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  writeFileSync(join(folder, 'CHANGELOG.md'), text);
  return folder;
}

function changelog(folder: string, ...options: string[]): string {
  return execFileSync(join(folder, '.ci/changelog'), options, { encoding: 'utf8', stdio: 'pipe' });
}
