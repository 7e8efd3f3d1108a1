import SmsGate, { type HttpClient } from 'android-sms-gateway';
import * as z from 'zod';
import type { GatewayAccount } from '../../shared/gateway/accounts.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { OperatorError } from './operator-error.ts';

// Its types describe CommonJS, where the class is one level down; what runs is a module.
const Client = 'default' in SmsGate ? SmsGate.default : SmsGate;

/** An error answer of the gateway. */
class GatewayAnswer extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 10_000;

/**
 * Asks a gateway with SMSGate's official client. Its answers are not parsed: the schemas below do that.
 * @throws OperatorError if the gateway gives no usable answer.
 */
export async function askSmsgate<Result>(
  outside: Pick<Outside, 'fetch'>,
  gateway: string,
  account: GatewayAccount,
  ask: (client: InstanceType<typeof Client>) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(openClient(outside, account));
  } catch (error) {
    throw whyNoAnswer(error, gateway, account);
  }
}

function openClient({ fetch }: Pick<Outside, 'fetch'>, account: GatewayAccount) {
  const send = async (method: string, url: string, headers?: Record<string, string>, body?: unknown) => {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(headers && { headers }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new GatewayAnswer(response.status, text.slice(0, 300));
    return text === '' ? undefined : JSON.parse(text);
  };
  const http: HttpClient = {
    get: (url, headers) => send('GET', url, headers),
    post: (url, body, headers) => send('POST', url, headers, body),
    put: (url, body, headers) => send('PUT', url, headers, body),
    patch: (url, body, headers) => send('PATCH', url, headers, body),
    delete: (url, headers) => send('DELETE', url, headers),
  };
  return new Client(account.username, account.password, http, account.url);
}

export const Devices = z.array(z.object({ id: z.string(), name: z.string().nullish(), lastSeen: z.string() }));

export const Webhooks = z.array(
  z.object({ id: z.string(), url: z.string(), event: z.string(), deviceId: z.string().nullish() }),
);

/** Why a gateway gave no usable answer, as a sentence. */
function whyNoAnswer(error: unknown, gateway: string, account: GatewayAccount): OperatorError {
  const setAgain = `gateway set --gateway ${gateway} --username USERNAME`;
  if (error instanceof GatewayAnswer && (error.status === 401 || error.status === 403)) {
    return new OperatorError(
      `The gateway ${gateway} rejected the user ${account.username} (${error.status}): the username or password is wrong. The app shows both on its first screen, under Cloud Server. Set them: ${setAgain}`,
    );
  }
  if (error instanceof GatewayAnswer && error.status < 500) {
    return new OperatorError(
      `${account.url} answers ${error.status}: ${error.message || 'no message'}. Check that it is the address of an SMSGate server, which ends in /3rdparty/v1. Set it: ${setAgain} --url URL`,
    );
  }
  if (error instanceof GatewayAnswer) {
    return new OperatorError(`The gateway ${gateway} failed with ${error.status}. Try again in a few minutes.`);
  }
  if (error instanceof SyntaxError || error instanceof z.ZodError) {
    return new OperatorError(
      `${account.url} answers, but not like an SMSGate server. The address of one ends in /3rdparty/v1. Set it: ${setAgain} --url URL`,
    );
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new OperatorError(
    `The gateway ${gateway} at ${account.url} does not answer (${cause instanceof Error ? cause.message : cause}). Check the address, and that the server is running.`,
  );
}
