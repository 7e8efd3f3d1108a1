import assert from 'node:assert/strict';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { type Client, createCharge, type NewCharge, overHttp } from '../../infra/local/story/steps.ts';
import { type HttpRequest, requestAt } from '../support/request.ts';

/** A running service and its available resources. */
export interface Kiosk {
  readonly baseUrl: string;
  readonly liveKey?: string;
  readonly smsKey?: string;
  /** Set if the merchant may use a sender. */
  readonly sends?: true;
  /** Recipient of the only text, `+233…`. */
  readonly to?: string;
  /** A URL that temporarily receives the merchant's events. */
  readonly receiver?: string;
  /** Prompts a person to pay a charge. Resolves once they may have paid. */
  readonly pay?: (charge: NewCharge) => Promise<void>;
  /** The operator's actions. */
  readonly desk?: Desk;
  /** The phone, if it is simulated. */
  readonly phone?: PhoneInHand;
  /** Called with additional information about a journey. */
  readonly note?: (words: string) => void;
  /** Maximum time to wait for a text to be sent or a payment to arrive. */
  readonly patienceMs: number;
}

/** The operator's actions on a stage with a temporary merchant. */
export interface Desk {
  /** Information about IAM. Undefined on the local stack, which does not enforce permissions. */
  readonly iam: Iam | undefined;
  /** Returns the problems that `doctor` finds. */
  faults(): Promise<string[]>;
  /** Sells credits to the merchant. Returns the new balance. */
  sellCredits(credits: number): Promise<number>;
  /** Simulates the wallet's text about a payment. Returns the payment's id. */
  receive(payment: Payment): Promise<string>;
  /** Simulates the wallet's text about the reversal of a payment. */
  takeBack(transactionId: string): Promise<void>;
  /** Posts a text from an unknown gateway. Returns the response's status. */
  receiveFromStranger(): Promise<number>;
  /** Returns the newest code sent to a number. */
  codeTo(phone: string): Promise<string>;
}

export interface Iam {
  /** True if `dynamodb:LeadingKeys` conditions limit roles to partitions. */
  readonly isNarrowed: boolean;
  /** Returns the number of IAM denials in the last hour, delayed by a minute or two. */
  refusals(): Promise<number>;
}

export interface Payment {
  readonly amount: number;
  readonly name: string;
  readonly reference?: string;
  /** The payer's number in a Telecel text. Missing for an MTN text. */
  readonly phone?: string;
}

/** Actions on a phone by a person or the network. */
export interface PhoneInHand {
  /** Connects the phone to the network or disconnects it. */
  switch(on: boolean): Promise<void>;
  /** Sets whether the network accepts outgoing texts. */
  setTexts(texts: 'sent' | 'failed'): Promise<void>;
  /** Simulates the arrival of a payment's text, even on an offline phone. */
  hear(charge: Pick<NewCharge, 'momo_number'>, payment: Payment): Promise<void>;
}

export type Need = 'liveKey' | 'smsKey' | 'sends' | 'to' | 'receiver' | 'pay' | 'desk' | 'phone';

/** A merchant's actions over HTTP. Stories run in the tests, on a local stack, and on a deployed stage. */
export interface Story {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Runs the story. @throws AssertionError on unexpected behaviour. */
  tell(kiosk: Kiosk): Promise<void>;
}

/** A small amount, because a person may actually pay it. */
export const CHARGE = { amount: 1.5, customer_name: 'Kofi Mensah', description: 'A journey, not to be paid' };

/** Defines a journey and its required resources. */
export function story<Needed extends Need>(
  name: string,
  needs: readonly Needed[],
  tell: (kiosk: Kiosk & Required<Pick<Kiosk, Needed>> & Client) => Promise<void>,
): Story {
  const hasAll = (kiosk: Kiosk): kiosk is Kiosk & Required<Pick<Kiosk, Needed>> =>
    lackedBy({ needs }, kiosk).length === 0;
  return {
    name,
    needs,
    tell: (kiosk) => {
      if (!hasAll(kiosk)) throw new Error(`“${name}” lacks ${lackedBy({ needs }, kiosk).join(', ')}`);
      return tell(withClient(kiosk));
    },
  };
}

/** Returns the story's missing resources. */
export function lackedBy({ needs }: Pick<Story, 'needs'>, kiosk: Kiosk): Need[] {
  return needs.filter((need) => kiosk[need] === undefined);
}

/** Creates a charge that will not be paid. `more` overrides its fields. */
export function initialize(kiosk: Client, more: object = {}): Promise<NewCharge> {
  return createCharge(kiosk, { ...CHARGE, ...more });
}

/** Adds the API client. */
function withClient<Given extends Kiosk>(kiosk: Given): Given & Client {
  return {
    ...kiosk,
    ask(route, said = {}) {
      const { path, kind, ...request } = overHttp(route, said);
      const key = said.key ?? (kind && (kind === 'live' ? kiosk.liveKey : kiosk.smsKey));
      return data(kiosk, path, {
        ...request,
        ...(key && { key }),
        ...(said.body !== undefined && { body: said.body }),
      });
    },
  };
}

/** Returns the shop of a local stack. */
export function shopOf({ base_url, secret_key, sms_secret_key }: DemoFacts, patienceMs = 120_000) {
  return withClient({ baseUrl: base_url, liveKey: secret_key, smsKey: sms_secret_key, patienceMs });
}

/** Sends a request that must succeed. Returns the response's data. */
export async function data(kiosk: Kiosk, path: string, options: HttpRequest = {}) {
  const { status, text, json } = await requestAt(kiosk.baseUrl, path, options);
  assert.equal(status, 200, `${path} answered ${status}: ${text.slice(0, 500)}`);
  assert.equal(json.status, true);
  assert.equal(typeof json.message, 'string');
  return json.data;
}

/** Sends a request that must fail. Returns the response's body. */
export async function refused(kiosk: Kiosk, path: string, options: HttpRequest, status: number, code: string) {
  const answer = await requestAt(kiosk.baseUrl, path, { ...options, headers: { accept: 'application/json' } });
  assert.deepEqual(
    [answer.status, answer.json.status, answer.json.code],
    [status, false, code],
    `${path}: ${answer.text}`,
  );
  assert.match(answer.json.message, /\w+ \w+/);
  assert.equal(typeof answer.json.request_id, 'string');
  assert.equal(answer.json.doc_url, `${kiosk.baseUrl}/docs#error-${code}`);
  return answer.json;
}
