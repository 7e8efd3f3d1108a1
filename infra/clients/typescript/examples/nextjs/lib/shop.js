import { MomoKiosk } from 'momo-kiosk-client';

export const momo = new MomoKiosk({ baseUrl: process.env.MOMO_URL, secretKey: process.env.MOMO_SECRET_KEY });

// In the place of your database: each route of Next.js has modules of its own. The price is the shop's own, never the browser's.
globalThis.orders ??= new Map([['1009', { cedis: '36.50', isPaid: false }]]);
export const orders = globalThis.orders;
