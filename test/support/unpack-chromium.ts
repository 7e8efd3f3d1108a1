import chromium from '@sparticuz/chromium';

/** A separate process for `chromium.ts`, because the package changes the environment. */
await chromium.executablePath();
