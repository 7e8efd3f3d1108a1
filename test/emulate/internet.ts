import { readFileSync } from 'node:fs';
import { request as httpRequest, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { listenHere } from '../../infra/local/loopback.ts';
import { API_PATH, startPhone } from '../../infra/phone/server.ts';
import { CLOUD_URL } from '../../shared/phones/gateway/manage-accounts.ts';

/**
 * Serves the internet hosts that a stage contacts: SMSGate's server with a simulated phone, and a merchant's webhook
 * server. Both use https under their own names (test/emulate/preload.cjs redirects them here). Arguments: the folder
 * with the certificate, the port, and the phone's signing key. Prints `ready` and the URL of the phone's page.
 */
export const SMSGATE = new URL(CLOUD_URL);
export const RECEIVER = 'https://hooks.shop.example.com/momo';
const DEVICE = 'emulated-phone';

if (import.meta.main) {
  const [folder = '', port = '', signingKey = ''] = process.argv.slice(2);
  const sims = [
    { simNumber: 1, number: '+233241234567', network: 'MTN' },
    { simNumber: 2, number: '+233201234567', network: 'TELECEL' },
  ];
  const phone = await startPhone({ devices: [{ id: DEVICE, name: 'Emulated phone', signingKey, sims }] });
  const hosts: Record<string, RequestListener> = {
    [SMSGATE.host]: handOnTo(phone.apiUrl),
    [new URL(RECEIVER).host]: (request, response) => {
      request.resume().on('end', () => response.writeHead(200).end('ok'));
    },
  };
  const tls = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/certificate.pem`) };
  const server = createServer(tls, (request, response) => {
    const answer = hosts[request.headers.host ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(421).end();
  });
  await listenHere(server, Number(port));
  console.log(`ready ${phone.url}`);
}

/** The public server's path is shorter than that of a self-hosted server. */
function handOnTo(apiUrl: string): RequestListener {
  return (request, response) => {
    const path = `${API_PATH}${(request.url ?? '').slice(SMSGATE.pathname.length)}`;
    const { host: _, ...headers } = request.headers;
    const onward = httpRequest(new URL(path, apiUrl), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
}
