import { FORWARDER, isOfForwarder } from '../../../phones/gateway/forwarder.ts';
import { readForwarderKeys } from '../../../phones/gateway/manage-accounts.ts';
import { HEARD_NOTED_SECONDS, listPhones, type Phone } from '../../../phones/gateway/phone.table.ts';
import { listRefused, type RefusedCallback } from '../../../phones/gateway/refused-callback.table.ts';
import { isLate } from '../../../phones/sender/phone-silence.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { type Finding, fine, notHere, wrong } from '../finding.ts';

/** Checks that each phone with a forwarding app has a key, forwards texts on time and sends valid callbacks. */
export async function checkForwarders(deployment: Deployment): Promise<Finding[]> {
  const { outside } = deployment;
  const here = (await listSenders(outside)).filter(({ gateway }) => gateway === FORWARDER);
  if (here.length === 0) return [];
  const [keys, { phones }, refused] = await Promise.all([
    readForwarderKeys(deployment),
    listPhones(outside),
    listRefused(outside),
  ]);
  return [...new Set(here.map(({ device_id }) => device_id))].map((name) => {
    const isIts = isOfForwarder(name);
    const phone = phones.find(isIts);
    if (!Object.hasOwn(keys, name)) {
      const numbers = here.filter(isIts).map(({ number }) => number);
      return wrong(
        `No key is stored here for the phone ${name} with ${numbers.join(', ')}. Its callbacks are rejected, so payments are not recognised.`,
        `Create its key with: phone add --phone ${name}. Or move its numbers with: sender add`,
      );
    }
    const heardMs = (phone?.heard_ms ?? 0) + HEARD_NOTED_SECONDS * 1000;
    const found = refused.find((one) => isIts(one) && Date.parse(one.last_at) > heardMs);
    if (found) return refusal(name, found);
    if (phone?.late && isLate(outside, phone)) return late(name, phone.late);
    if (!phone) return notHere(`No callback from the phone ${name} has arrived yet.`);
    const delay =
      phone.delay_ms === undefined ? '' : `, ${Math.round(phone.delay_ms / 1000)} seconds after receiving it`;
    return fine(`The phone ${name} posted a text at ${isoOf(phone.heard_ms)}${delay}.`);
  });
}

function refusal(name: string, { reason, skew_seconds = 0 }: RefusedCallback): Finding {
  if (reason !== 'clock') {
    return wrong(
      `Posts in the name of the phone ${name} are not signed with its key, so they are rejected. If they come from this phone, payments are not recognised.`,
      `Check whether its payments arrive. If they do, somebody else is posting under the phone’s name, and nothing is lost. If not, check the key and the lines in the forwarding app (docs/integrate/forwarders.md).`,
    );
  }
  const by = `${Math.round(Math.abs(skew_seconds) / 60)} minutes ${skew_seconds > 0 ? 'ahead' : 'behind'}`;
  return wrong(
    `The clock of the phone ${name} is ${by}. Its callbacks are rejected, so payments are not recognised.`,
    'Turn on automatic time on the phone. If it is already on, sent_at must be the time of each attempt to post (docs/integrate/forwarders.md).',
    { symptomOf: ['clocks of phones'] },
  );
}

function late(name: string, { at_ms, delay_ms }: NonNullable<Phone['late']>): Finding {
  return wrong(
    `The phone ${name} posts late. The text that arrived at ${isoOf(at_ms)} had been on the phone for ${Math.round(delay_ms / MINUTE_MS)} minutes. Payers have to wait.`,
    'On the phone, exempt the forwarding app from battery saving, and check the connection (docs/integrate/forwarders.md).',
  );
}
