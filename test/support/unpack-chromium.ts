import chromium from '@sparticuz/chromium';

/** A process of its own for `chromium.ts`: the package changes the environment of whatever process loads it. */
await chromium.executablePath();
