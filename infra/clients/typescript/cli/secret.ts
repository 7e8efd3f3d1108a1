import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Problem } from './problem.ts';

export function secretFile(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home = homedir()): string {
  const { APPDATA, XDG_CONFIG_HOME } = env;
  const standard = platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config');
  const chosen = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  return join(chosen && isAbsolute(chosen) ? chosen : standard, 'momo-kiosk', 'listen-secret');
}

/**
 * Reads this computer's signing secret, or creates it. Only the current user can read the file.
 * @throws Problem if the file cannot be used.
 */
export async function readSecret(file: string): Promise<string> {
  const created = `whsec_${randomBytes(24).toString('base64')}`;
  try {
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
    await writeFile(file, `${created}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    // Reject symbolic links, because `chmod` would change the permissions of the link’s target.
    if ((await lstat(file)).isFile()) {
      await chmod(file, 0o600);
      const secret = (await readFile(file, 'utf8')).trim();
      if (/^whsec_[A-Za-z0-9+/]{32}$/.test(secret)) return secret;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Problem(`The secret cannot be stored in ${file} (${reason}). Make the folder writable.`);
  }
  throw new Problem(`${file} is not a file with a secret. Delete it, and the next start will create a new one.`);
}
