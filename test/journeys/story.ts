import assert from 'node:assert/strict';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { type Client, createCharge, type NewCharge, overHttp } from '../../infra/local/story/steps.ts';
import { type HttpRequest, requestAt } from '../support/request.ts';

/** A running service, and what a journey may use of it. */
export interface Kiosk {
  readonly baseUrl: string;
  readonly liveKey?: string;
  readonly smsKey?: string;
  /** Whether the merchant may have a number to send from: where all of a stage's belong to others, the journeys' own has none. */
  readonly sends?: true;
  /** The number that the one text goes to, `+233…`. */
  readonly to?: string;
  /** A place that can receive the merchant's events for some seconds. */
  readonly receiver?: string;
  /** Has somebody pay a charge, and resolves when they may have. */
  readonly pay?: (charge: NewCharge) => Promise<void>;
  /** What the operator of the stage can do for a journey. */
  readonly desk?: Desk;
  /** The phone, where it is a simulated one. */
  readonly phone?: PhoneInHand;
  /** Told what a journey found out, beside that it went as expected. */
  readonly note?: (words: string) => void;
  /** How long a text may take to leave, and a payment to arrive. */
  readonly patienceMs: number;
}

/** A stage from its operator's side, with a merchant that is there for the journeys alone. */
export interface Desk {
  /** What holds functions to their rights; undefined on the local stack, where nothing does. */
  readonly iam: Iam | undefined;
  /** What `doctor` finds wrong. */
  faults(): Promise<string[]>;
  /** The merchant's credits after so many more were sold. */
  sellCredits(credits: number): Promise<number>;
  /** Has the wallet's text about a payment arrive; gives the payment's id. */
  receive(payment: Payment): Promise<string>;
  /** Has the wallet's text arrive that takes a payment back. */
  takeBack(transactionId: string): Promise<void>;
  /** The status of the answer to a text from a gateway that is not the stage's. */
  receiveFromStranger(): Promise<number>;
  /** The newest code to a number, once its text has left. */
  codeTo(phone: string): Promise<string>;
}

export interface Iam {
  /** Whether roles are narrowed to partitions by conditions on `dynamodb:LeadingKeys`. */
  readonly isNarrowed: boolean;
  /** How often it refused what a function did, in the last hour; a minute or two late. */
  refusals(): Promise<number>;
}

export interface Payment {
  readonly amount: number;
  readonly name: string;
  readonly reference?: string;
  /** The number that paid, which Telecel's texts name; without it the text is MTN's. */
  readonly phone?: string;
}

/** What a person does with a phone, and its network. */
export interface PhoneInHand {
  /** Takes it off the network, or back. */
  switch(on: boolean): Promise<void>;
  /** Whether the network takes texts from now on. */
  setTexts(texts: 'sent' | 'failed'): Promise<void>;
  /** Has a payment's text arrive, whether or not the phone can post it. */
  hear(charge: Pick<NewCharge, 'momo_number'>, payment: Payment): Promise<void>;
}

export type Need = 'liveKey' | 'smsKey' | 'sends' | 'to' | 'receiver' | 'pay' | 'desk' | 'phone';

/**
 * What a merchant's engineer does, over HTTP alone and checked by HTTP alone: the same code runs in the tests, on a stack on
 * this machine, and by `npm run prove -- journeys` on a deployed one.
 */
export interface Story {
  readonly name: string;
  readonly needs: readonly Need[];
  /** @throws AssertionError if the service does something else. */
  tell(kiosk: Kiosk): Promise<void>;
}

/** Small, and only paid if somebody really pays it. */
export const CHARGE = { amount: 1.5, customer_name: 'Kofi Mensah', description: 'A journey, not to be paid' };

/** A journey that declares what it needs. */
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

/** What a kiosk lacks for a story; empty if it can be told. */
export function lackedBy({ needs }: Pick<Story, 'needs'>, kiosk: Kiosk): Need[] {
  return needs.filter((need) => kiosk[need] === undefined);
}

/** A charge that is not to be paid; a journey says what is different about it. */
export function initialize(kiosk: Client, more: object = {}): Promise<NewCharge> {
  return createCharge(kiosk, { ...CHARGE, ...more });
}

/** With the way by which a journey's steps reach the service. */
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
