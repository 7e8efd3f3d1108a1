import chromium from '@sparticuz/chromium';

/** Runs in a separate process for `chromium.ts`, because the package changes the environment. */
await chromium.executablePath();
