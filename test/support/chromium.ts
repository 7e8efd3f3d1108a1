import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A Chromium that starts on a bare Linux: its own libraries and font come with it. */
export interface PackagedChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** In the package's own folder, so that another version of it is unpacked anew. */
const folder = resolve('node_modules/@sparticuz/chromium/unpacked');

/** The Chromium that came with the packages, once it is unpacked; there is none but for Linux on x64. */
export function packagedChromium(): PackagedChromium | undefined {
  if (!existsSync(folder)) return undefined;
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

/**
 * Before the first test: unpacks it, once for all workers and all later runs, and removes the packed one (66 MB). The package unpacks into the folder for temporary
 * files, and takes a file that is still being written there for a whole one; so it gets a folder of its own, which shows under
 * its name when everything is in it.
 */
export default async function unpackChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.env.CHROMIUM_PATH || existsSync(folder)) return;
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'unpack-chromium.ts')], {
      // On Lambda, which it takes this for, the package unpacks libraries and a font too.
      env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    });
    const fonts = join(unfinished, 'fonts/fonts.conf');
    writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/', `>${folder}/`));
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run of the tests was faster.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  rmSync(join(folder, '../bin'), { recursive: true, force: true });
}
