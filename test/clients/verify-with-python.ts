import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWebhookSecret, signatureHeaders } from '../../shared/webhook/endpoint.ts';
import { virtualEnvironment } from './clients.ts';
import { command } from './command.ts';

const STANDARD_WEBHOOKS = '1.1.0';

/**
 * Runs the reference's sample with Standard Webhooks' library. @throws unless the sample accepts exactly what we sign.
 */
export async function verifyWithPython(folder: string): Promise<void> {
  const python = await virtualEnvironment({ folder }, 'standardwebhooks', [`standardwebhooks==${STANDARD_WEBHOOKS}`]);
  const secret = newWebhookSecret(randomBytes);
  const body = '{"type":"charge.success","data":{"description":"Two yards of kente – for Ama’s"}}';
  const sample = readFileSync('infra/reference/verify-webhook/with-library.py', 'utf8');
  /** Runs the sample with a body and the headers of `body`, signed with the secret. */
  const verify = (given: string, WEBHOOK_SECRET = secret) => {
    const headers = signatureHeaders('evt_1', body, [WEBHOOK_SECRET], Date.now());
    const program = join(folder, 'verify.py');
    writeFileSync(program, `body = ${JSON.stringify(given)}.encode()\nheaders = ${JSON.stringify(headers)}\n${sample}`);
    return command(join(python, 'python'), [program], { environment: { WEBHOOK_SECRET } });
  };
  const said = await verify(body);
  if (!said.startsWith('charge.success ')) throw new Error(`The sample refused a genuine event: ${said}`);
  for (const forged of [() => verify(body.replace('success', 'expired')), () => verify(body, 'whsec_')]) {
    const isTaken = await forged().then(
      () => true,
      () => false,
    );
    if (isTaken) throw new Error('The sample accepted a forged event');
  }
}
