import chromium from '@sparticuz/chromium';

/** Runs as a separate process for `chromium.ts`, because the package changes the environment of its process. */
await chromium.executablePath();
