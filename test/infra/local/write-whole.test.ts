import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { refuseFullDisk, writeWhole } from '../../../infra/local/write-whole.ts';

const newFile = () => join(mkdtempSync(join(inject('folder'), 'whole-')), 'file');

test('readers never see a partly written file', async () => {
  const file = newFile();
  const program = `
    import { readFileSync } from 'node:fs';
    import { writeWhole } from ${JSON.stringify(resolve('infra/local/write-whole.ts'))};
    const text = process.argv[1].repeat(300_000);
    for (let n = 0; n < 100; n++) {
      writeWhole(${JSON.stringify(file)}, text);
      if (!/^(a{300000}|b{300000})$/.test(readFileSync(${JSON.stringify(file)}, 'utf8'))) throw new Error('A part');
    }`;
  const write = (letter: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, letter]);
  await Promise.all([write('a'), write('b')]);
  expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
});

test('only the owner can read a file with a secret', () => {
  const file = newFile();
  writeWhole(file, 'key', 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

// /dev/full simulates a full disk.
test.skipIf(!existsSync('/dev/full'))('a full disk leaves the file unchanged', () => {
  const file = newFile();
  writeFileSync(file, 'before');
  symlinkSync('/dev/full', `${file}.${process.pid}.part`);
  expect(() => writeWhole(file, 'after')).toThrow(
    new Error(`The disk is full: nothing can be written to ${join(file, '..')}. Free some space and try again.`),
  );
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
});

test('an error other than a full disk is rethrown', () => {
  expect(() => writeWhole(join(newFile(), 'within-no-folder'), '')).toThrow('ENOENT');
});

test.each([
  ['almost no free space', { blocks: 1_000, bavail: 1, bsize: 4_096 }, true],
  ['enough free space', { blocks: 1_000, bavail: 900, bsize: 4_096 }, false],
  ['no figure for free space', { blocks: 0, bavail: 0, bsize: 4_096 }, false],
])('startup on a disk with %s fails only if the disk is full', (_, figures, isRefused) => {
  const start = expect(() => refuseFullDisk('.local', figures));
  if (isRefused) start.toThrow('The disk is full: nothing can be written to .local. Free some space and try again.');
  else start.not.toThrow();
});
