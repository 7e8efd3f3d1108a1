import yoctoSpinner from 'yocto-spinner';
import type { Progress } from '../../shared/runtime/stage/place.ts';

/**
 * Runs something and shows its progress on stderr, for a person at a terminal only. Output that is printed, piped or `quiet` is
 * unchanged.
 */
export async function withProgress<Result>(
  quiet: boolean,
  act: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (quiet || !process.stderr.isTTY) return act(() => undefined);
  const spinner = yoctoSpinner();
  try {
    return await act((doing) => {
      spinner.text = doing;
      spinner.start();
    });
  } finally {
    spinner.stop();
  }
}
