import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../infra/admin/deployment.ts';
import { demoPhone } from '../../infra/local/demo.ts';
import { startStack } from '../../infra/local/stack.ts';
import { until } from '../../infra/local/story/steps.ts';
import { registerPhone } from '../../infra/phone/app.ts';
import { type Phone, startPhone } from '../../infra/phone/server.ts';
import { askSmsgate } from '../../shared/phones/gateway/ask-smsgate.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { requestAt } from '../support/request.ts';
import { receiptText, type StagePhone, stagePhone, writerOf } from './stage-phone.ts';
import type { PhoneInHand } from './story.ts';

/** The callback URL registered at the real server. Only the phone in this process can reach it. */
const CALLBACK_URL = 'https://momo-kiosk.invalid';
const WEBHOOKS = 2;

interface Server {
  /** The server's base URL for clients, `…/3rdparty/v1`. */
  readonly url: string;
  /** The token for registering phones. Public servers do not require one. */
  readonly privateToken: string;
}

/**
 * Starts the local stack with a real SMSGate server and a simulated phone, and sets this process's environment.
 * `remove` unregisters the phone. Only the server's operator can delete the account.
 */
export async function joinStack({ url, privateToken }: Server, port = 0, patienceMs = 30_000) {
  const { id, token, login, password } = await registerPhone(url, privateToken, demoPhone);
  const folder = await mkdtemp(join(tmpdir(), 'momo-kiosk-'));
  Object.assign(process.env, {
    LOCAL_DIR: folder,
    CALLBACK_URL,
    SMSGATE_URL: url,
    SMSGATE_USERNAME: login,
    SMSGATE_PASSWORD: password,
    SMSGATE_DEVICE_ID: id,
    SMSGATE_SIGNING_KEY: demoPhone.signingKey,
  });
  const stack = await startStack({ port, folder, keep: false, wallets: 'new', database: 'memory', say: () => {} });
  const { facts } = stack;
  const reach = (webhook: string) => webhook.replace(CALLBACK_URL, facts.base_url);
  const phone = await startPhone({
    devices: [{ ...demoPhone, id }],
    queueLimit: Number.POSITIVE_INFINITY,
    server: { url, token, reach },
  });
  const remove = async () => {
    await phone.close();
    await stack.stop();
    const { phone: account } = facts.gateway_accounts;
    await askSmsgate({ fetch }, 'phone', account, (client) => client.deleteDevice(id));
    await rm(folder, { recursive: true });
  };
  const read = () => askPhone(phone, '/api/3rdparty/v1/webhooks');
  const heard = await until({ patienceMs }, read, (webhooks) => webhooks.length === WEBHOOKS);
  if (heard.length === WEBHOOKS) return { facts, phone, remove };
  await remove();
  throw new OperatorError(`The phone heard of ${heard.length} webhooks from ${url}, and not of ${WEBHOOKS}.`);
}

/** Returns a simulated phone's response. */
export async function askPhone(phone: Pick<Phone, 'url'>, path: string, body?: object) {
  const headers = { authorization: `Basic ${btoa('journey:journey')}` };
  const { status, text, json } = await requestAt(phone.url, path, { headers, ...(body && { body }) });
  if (status > 299) throw new Error(`${path} of the phone answered ${status}: ${text}`);
  return json;
}

/** Returns the stack's phone for journeys. Received texts pass through the app's own queue. */
export async function phoneInHand(phone: Pick<Phone, 'url'>): Promise<{ stagePhone: StagePhone; inHand: PhoneInHand }> {
  const direct = await stagePhone(await connect(undefined));
  const receive = (sender: string, recipient: string, message: string) =>
    askPhone(phone, '/receive', { sender, recipient, message, simNumber: null });
  return {
    stagePhone: {
      ...direct,
      async post(id, to, message, gateway) {
        // With a gateway, the callback comes from a different phone.
        if (gateway !== undefined) return direct.post(id, to, message, gateway);
        const { deliveries } = await receive(writerOf(to.network).sender, to.number, message);
        return deliveries[0]?.status ?? 0;
      },
    },
    inHand: {
      switch: async (on) => void (await askPhone(phone, '/switch', { on })),
      setTexts: async (texts) => void (await askPhone(phone, '/texts', { texts })),
      hear: async ({ momo_number }, payment) => {
        await receive(writerOf('MTN').sender, momo_number, receiptText('MTN', payment).text);
      },
    },
  };
}
