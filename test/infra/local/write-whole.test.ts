import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { refuseFullDisk, writeWhole } from '../../../infra/local/write-whole.ts';

const newFile = () => join(mkdtempSync(join(inject('folder'), 'whole-')), 'file');

test('processes that write a file at once leave it whole, and no one sees a part of it', async () => {
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

test('keys in it are for its owner alone where that is asked for', () => {
  const file = newFile();
  writeWhole(file, 'key', 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

// Linux has a file that every write to fails as a full disk does.
test.skipIf(!existsSync('/dev/full'))('a full disk is one sentence, and the file stays as it was', () => {
  const file = newFile();
  writeFileSync(file, 'before');
  symlinkSync('/dev/full', `${file}.${process.pid}.part`);
  expect(() => writeWhole(file, 'after')).toThrow(
    new Error(`The disk is full: nothing can be written to ${join(file, '..')}. Free some space and try again.`),
  );
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
});

test('any other failure is told as it is', () => {
  expect(() => writeWhole(join(newFile(), 'within-no-folder'), '')).toThrow('ENOENT');
});

test.each([
  ['next to nothing is free', { blocks: 1_000, bavail: 1, bsize: 4_096 }, true],
  ['there is room', { blocks: 1_000, bavail: 900, bsize: 4_096 }, false],
  ['the file system does not say', { blocks: 0, bavail: 0, bsize: 4_096 }, false],
])('where %s, a start says so or goes on', (_, figures, isRefused) => {
  const start = expect(() => refuseFullDisk('.local', figures));
  if (isRefused) start.toThrow('The disk is full: nothing can be written to .local. Free some space and try again.');
  else start.not.toThrow();
});
