/**
 * Installs the packages that one command needs, from the lockfile in that command's folder, and again if the lockfile
 * changes.
 * @returns true if packages were installed.
 * @throws an Error if npm fails.
 */
export function installOwnPackages(folder: string): boolean;
