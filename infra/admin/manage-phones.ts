import { COMMAND_LINE, recordAudit } from '../../shared/merchants/audit/audit.table.ts';
import { isOfForwarder } from '../../shared/phones/gateway/forwarder.ts';
import { readForwarderKeys, setForwarderKey } from '../../shared/phones/gateway/manage-accounts.ts';
import { listPhones } from '../../shared/phones/gateway/phone.table.ts';
import { isLate } from '../../shared/phones/sender/phone-silence.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';

/**
 * Creates a key for a phone with a forwarding app. The key is shown only once.
 * @throws OperatorError if the phone already exists.
 */
export async function addPhone(deployment: Deployment, phone: string) {
  if (Object.hasOwn(await readForwarderKeys(deployment), phone)) {
    throw new OperatorError(`The phone ${phone} already exists. Replace its key with: phone roll --phone ${phone}`);
  }
  const numbers = await numbersIn(deployment, phone);
  const key = await newKey(deployment, 'phone add', phone);
  return { ...key, ...(numbers.length > 0 && { speaks_for: numbers }) };
}

/** Replaces a phone's key. @throws OperatorError if the phone does not exist. */
export async function rollPhone(deployment: Deployment, phone: string) {
  await requirePhone(deployment, phone);
  return newKey(deployment, 'phone roll', phone);
}

/** Revokes a phone's key. @throws OperatorError if the phone does not exist. */
export async function removePhone(deployment: Deployment, phone: string) {
  await requirePhone(deployment, phone);
  await setKey(deployment, 'phone remove', phone, undefined);
  const numbers = await numbersIn(deployment, phone);
  return { removed: phone, ...(numbers.length > 0 && { still_placed: numbers }) };
}

async function numbersIn({ outside }: Deployment, phone: string): Promise<string[]> {
  const senders = await listSenders(outside);
  return senders.filter(isOfForwarder(phone)).map(({ number }) => number);
}

export async function phoneList(deployment: Deployment) {
  const { outside } = deployment;
  const [keys, senders, { phones }] = await Promise.all([
    readForwarderKeys(deployment),
    listSenders(outside),
    listPhones(outside),
  ]);
  return Object.keys(keys).map((phone) => {
    const isIts = isOfForwarder(phone);
    const heard = phones.find(isIts);
    return {
      phone,
      numbers: senders.filter(isIts).map(({ number }) => number),
      heard_at: heard ? isoOf(heard.heard_ms) : null,
      delay_seconds: heard?.delay_ms === undefined ? null : Math.round(heard.delay_ms / 1000),
      late: isLate(outside, heard),
    };
  });
}

async function requirePhone(deployment: Deployment, phone: string): Promise<void> {
  if (Object.hasOwn(await readForwarderKeys(deployment), phone)) return;
  throw new OperatorError(`There is no phone ${phone}. To list all phones, run: phone list`);
}

async function newKey(deployment: Deployment, action: string, phone: string) {
  // The hexadecimal key fits into one SHA-256 block.
  const key = deployment.outside.randomBytes(32).toString('hex');
  await setKey(deployment, action, phone, key);
  return { address: `${await deployment.baseUrl()}/callback/forwarder/${phone}`, key };
}

/** Writes the audit entry before the key. The key is stored outside the table, so no transaction covers both. */
async function setKey(deployment: Deployment, action: string, phone: string, key: string | undefined): Promise<void> {
  const { outside } = deployment;
  await outside.table.write([recordAudit(outside, { by: COMMAND_LINE, action, about: phone })]);
  await setForwarderKey(deployment, phone, key);
}
