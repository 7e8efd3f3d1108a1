import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A Chromium with its own libraries and font. */
export interface PackagedChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** This folder is inside the package's own folder, so a new version of the package is unpacked again. */
const folder = resolve('node_modules/@sparticuz/chromium/unpacked');

/** Unpacks the packaged Chromium if necessary. Returns undefined except on Linux on x64. */
export function packagedChromium(): PackagedChromium | undefined {
  if (!existsSync(folder)) return undefined;
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

/**
 * Global setup: unpacks Chromium once for all workers and later runs, then removes the archive (66 MB). The folder is
 * renamed once complete, because the package would use incomplete files.
 */
export default async function unpackChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.env.CHROMIUM_PATH || existsSync(folder)) return;
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'unpack-chromium.ts')], {
      // The package unpacks libraries and a font only on Lambda.
      env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    });
    const fonts = join(unfinished, 'fonts/fonts.conf');
    writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/', `>${folder}/`));
    renameSync(unfinished, folder);
  } catch (error) {
    // Another test run finished first.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  rmSync(join(folder, '../bin'), { recursive: true, force: true });
}
