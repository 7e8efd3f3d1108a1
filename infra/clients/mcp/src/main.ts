import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './server.ts';

const { MOMO_URL = '', MOMO_SECRET_KEY, MOMO_SMS_SECRET_KEY } = process.env;
const settings = {
  baseUrl: MOMO_URL,
  secretKey: MOMO_SECRET_KEY || undefined,
  smsSecretKey: MOMO_SMS_SECRET_KEY || undefined,
};

try {
  // Fail at startup if a setting is invalid.
  createServer(settings);
  serveStdio(() => createServer(settings));
} catch (error) {
  console.error(
    `${error instanceof Error ? error.message : error}\nSet MOMO_URL to the address of your Momo Kiosk, and MOMO_SECRET_KEY (sk_live_… or sk_test_…), MOMO_SMS_SECRET_KEY (sk_sms_…) or both.`,
  );
  process.exitCode = 1;
}
