import yoctoSpinner from 'yocto-spinner';

/** Says on the terminal what a longer command is at. */
export type Progress = (doing: string) => void;

/**
 * Runs something that tells how far it is: on stderr, and only for a person who watches. What is printed, piped or `quiet`
 * stays as it is.
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
