import chromium from '@sparticuz/chromium';

/** Runs as a separate process for `chromium.ts`, because the package changes its process's environment. */
await chromium.executablePath();
