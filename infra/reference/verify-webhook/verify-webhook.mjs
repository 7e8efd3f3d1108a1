// Run it: WEBHOOK_SECRET=whsec_… PORT=4000 node verify-webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
// Anyone can sign with an empty secret.
if (!/^whsec_[\w+/]{32}/.test(secret)) throw new Error('Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.');

/** Returns the event, or undefined if Momo Kiosk did not sign it. `body` is the request's raw bytes. */
function verifiedEvent(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return undefined;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, given = ''] = signature.split(',');
    const bytes = Buffer.from(given, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  return isSigned ? JSON.parse(body) : undefined;
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const event = verifiedEvent(request.headers, body);
  response.writeHead(event ? 204 : 401).end();
  // Store request.headers['webhook-id']: an event can arrive twice.
  if (event) console.log(event.type, event.data);
}).listen(process.env.PORT);
