/**
 * Installs what one command needs beside the service's own packages, from the lockfile in that command's folder: once, and again when the
 * lockfile has changed. True if it installed something. @throws an Error if npm fails.
 */
export function installOwnPackages(folder: string): boolean;
