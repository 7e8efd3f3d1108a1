import assert from 'node:assert/strict';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { type Client, createCharge, type NewCharge, overHttp } from '../../infra/local/story/steps.ts';
import { type HttpRequest, requestAt } from '../support/request.ts';

/** A running service, with the resources that a journey may use. */
export interface Kiosk {
  readonly baseUrl: string;
  readonly liveKey?: string;
  readonly smsKey?: string;
  /**
   * Set if the merchant may have a number to send from. The journeys' merchant has none if all of the stage's numbers
   * belong to others.
   */
  readonly sends?: true;
  /** The recipient of the only text, `+233…`. */
  readonly to?: string;
  /** A URL that receives the merchant's events for a few seconds. */
  readonly receiver?: string;
  /** Asks a person to pay a charge. Resolves once the payment may have been made. */
  readonly pay?: (charge: NewCharge) => Promise<void>;
  /** The operator's actions during a journey. */
  readonly desk?: Desk;
  /** The phone, if it is simulated. */
  readonly phone?: PhoneInHand;
  /** Called with information that a journey reports in addition to its success. */
  readonly note?: (words: string) => void;
  /** Maximum time to wait for a text to be sent or a payment to arrive. */
  readonly patienceMs: number;
}

/** The operator's actions on a stage, with a merchant that exists only for the journeys. */
export interface Desk {
  /** Enforces the functions' rights. Undefined on the local stack, where rights are not enforced. */
  readonly iam: Iam | undefined;
  /** Returns the problems that `doctor` finds. */
  faults(): Promise<string[]>;
  /** Sells credits to the merchant. Returns the new balance. */
  sellCredits(credits: number): Promise<number>;
  /** Simulates the wallet's text about a payment. Returns the payment's id. */
  receive(payment: Payment): Promise<string>;
  /** Simulates the wallet's text about the reversal of a payment. */
  takeBack(transactionId: string): Promise<void>;
  /** Posts a text from an unknown gateway and returns the answer's status. */
  receiveFromStranger(): Promise<number>;
  /** Returns the newest code sent to a number. */
  codeTo(phone: string): Promise<string>;
}

export interface Iam {
  /** True if conditions on `dynamodb:LeadingKeys` limit roles to partitions. */
  readonly isNarrowed: boolean;
  /** Returns how many requests by functions IAM denied in the last hour. The figure is a minute or two behind. */
  refusals(): Promise<number>;
}

export interface Payment {
  readonly amount: number;
  readonly name: string;
  readonly reference?: string;
  /** The payer's number, which appears in Telecel's texts. If it is missing, the text is from MTN. */
  readonly phone?: string;
}

/** Actions that a person or the network performs on a phone. */
export interface PhoneInHand {
  /** Connects the phone to the network or disconnects it. */
  switch(on: boolean): Promise<void>;
  /** Sets whether the network accepts texts from now on. */
  setTexts(texts: 'sent' | 'failed'): Promise<void>;
  /** Simulates a payment's text arriving, even if the phone cannot forward it. */
  hear(charge: Pick<NewCharge, 'momo_number'>, payment: Payment): Promise<void>;
}

export type Need = 'liveKey' | 'smsKey' | 'sends' | 'to' | 'receiver' | 'pay' | 'desk' | 'phone';

/**
 * Actions that a merchant's engineer performs and checks only over HTTP. The same code runs in the tests, on a stage on
 * this machine, and on a deployed stage through `npm run prove -- journeys`.
 */
export interface Story {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Performs the story's actions. @throws AssertionError if the service behaves differently. */
  tell(kiosk: Kiosk): Promise<void>;
}

/** A small amount, which is paid only if a person actually pays it. */
export const CHARGE = { amount: 1.5, customer_name: 'Kofi Mensah', description: 'A journey, not to be paid' };

/** Defines a journey and the resources that it needs. */
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

/** Returns the needs of a story that the kiosk cannot meet. If the list is empty, the story can run. */
export function lackedBy({ needs }: Pick<Story, 'needs'>, kiosk: Kiosk): Need[] {
  return needs.filter((need) => kiosk[need] === undefined);
}

/** Creates a charge that is not meant to be paid. `more` overrides its fields. */
export function initialize(kiosk: Client, more: object = {}): Promise<NewCharge> {
  return createCharge(kiosk, { ...CHARGE, ...more });
}

/** Adds the client that a journey's steps use to call the service. */
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

/** Requests a path that must succeed, and returns the answer's data. */
export async function data(kiosk: Kiosk, path: string, options: HttpRequest = {}) {
  const { status, text, json } = await requestAt(kiosk.baseUrl, path, options);
  assert.equal(status, 200, `${path} answered ${status}: ${text.slice(0, 500)}`);
  assert.equal(json.status, true);
  assert.equal(typeof json.message, 'string');
  return json.data;
}

/** Requests a path that must fail, and returns the answer's envelope. */
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
