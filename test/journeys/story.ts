import assert from 'node:assert/strict';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { type Client, createCharge, type NewCharge, overHttp } from '../../infra/local/story/steps.ts';
import { type HttpRequest, requestAt } from '../support/request.ts';

/** A running service and the resources that a journey may use. */
export interface Kiosk {
  readonly baseUrl: string;
  readonly liveKey?: string;
  readonly smsKey?: string;
  /**
   * The merchant may have a number to send from. The journeys' merchant has none if all of a stage's numbers belong to
   * others.
   */
  readonly sends?: true;
  /** The recipient of the one text, `+233…`. */
  readonly to?: string;
  /** An address that can receive the merchant's events for some seconds. */
  readonly receiver?: string;
  /** Asks a person to pay a charge, and resolves when the payment may have been made. */
  readonly pay?: (charge: NewCharge) => Promise<void>;
  /** The operator's actions for a journey. */
  readonly desk?: Desk;
  /** The phone, if it is simulated. */
  readonly phone?: PhoneInHand;
  /** Called with findings of a journey beyond its success. */
  readonly note?: (words: string) => void;
  /** The longest wait for a text to be sent and for a payment to arrive. */
  readonly patienceMs: number;
}

/** The operator's side of a stage, with a merchant only for the journeys. */
export interface Desk {
  /** Enforces the functions' rights. Undefined on the local stack, which enforces none. */
  readonly iam: Iam | undefined;
  /** The problems found by `doctor`. */
  faults(): Promise<string[]>;
  /** Sells credits to the merchant. Returns the new balance. */
  sellCredits(credits: number): Promise<number>;
  /** Makes the wallet's text about a payment arrive. Returns the payment's id. */
  receive(payment: Payment): Promise<string>;
  /** Makes the wallet's text about the payment's reversal arrive. */
  takeBack(transactionId: string): Promise<void>;
  /** The status of the answer to a text from an unknown gateway. */
  receiveFromStranger(): Promise<number>;
  /** The newest code sent to a number. */
  codeTo(phone: string): Promise<string>;
}

export interface Iam {
  /** True if roles are limited to partitions by conditions on `dynamodb:LeadingKeys`. */
  readonly isNarrowed: boolean;
  /** The number of denied requests of functions in the last hour, a minute or two late. */
  refusals(): Promise<number>;
}

export interface Payment {
  readonly amount: number;
  readonly name: string;
  readonly reference?: string;
  /** The paying number, which Telecel's texts name. Without a number, the text is MTN's. */
  readonly phone?: string;
}

/** A person's actions with a phone and its network. */
export interface PhoneInHand {
  /** Takes the phone off the network or back. */
  switch(on: boolean): Promise<void>;
  /** Sets whether the network accepts texts from now on. */
  setTexts(texts: 'sent' | 'failed'): Promise<void>;
  /** Makes a payment's text arrive, even if the phone cannot forward it. */
  hear(charge: Pick<NewCharge, 'momo_number'>, payment: Payment): Promise<void>;
}

export type Need = 'liveKey' | 'smsKey' | 'sends' | 'to' | 'receiver' | 'pay' | 'desk' | 'phone';

/**
 * Actions of a merchant's engineer, performed and checked only over HTTP. The same code runs in the tests, on a stack
 * on this machine, and through `npm run prove -- journeys` on a deployed stage.
 */
export interface Story {
  readonly name: string;
  readonly needs: readonly Need[];
  /** @throws AssertionError if the service behaves differently. */
  tell(kiosk: Kiosk): Promise<void>;
}

/** A small amount, which is only paid if a person really pays it. */
export const CHARGE = { amount: 1.5, customer_name: 'Kofi Mensah', description: 'A journey, not to be paid' };

/** Defines a journey with the resources that it needs. */
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

/** The needs of a story that the kiosk lacks, empty if it can run. */
export function lackedBy({ needs }: Pick<Story, 'needs'>, kiosk: Kiosk): Need[] {
  return needs.filter((need) => kiosk[need] === undefined);
}

/** Creates a charge that is not meant to be paid. `more` overrides its fields. */
export function initialize(kiosk: Client, more: object = {}): Promise<NewCharge> {
  return createCharge(kiosk, { ...CHARGE, ...more });
}

/** Adds the client through which a journey's steps call the service. */
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

/** The shop of a local stack. */
export function shopOf({ base_url, secret_key, sms_secret_key }: DemoFacts, patienceMs = 120_000) {
  return withClient({ baseUrl: base_url, liveKey: secret_key, smsKey: sms_secret_key, patienceMs });
}

/** The data of an answer that must be a success. */
export async function data(kiosk: Kiosk, path: string, options: HttpRequest = {}) {
  const { status, text, json } = await requestAt(kiosk.baseUrl, path, options);
  assert.equal(status, 200, `${path} answered ${status}: ${text.slice(0, 500)}`);
  assert.equal(json.status, true);
  assert.equal(typeof json.message, 'string');
  return json.data;
}

/** The envelope of an answer that must be a failure. */
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
