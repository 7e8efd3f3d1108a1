import { html } from 'hono/html';
import { shownCount } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listPhones } from '../../../phones/gateway/phone.table.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import type { Sender } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { listOutcomes } from '../../../runtime/table/recent-outcomes.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import { OPERATOR_PHONES } from '../addresses.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { senderAddress } from './addresses.ts';
import { senderState } from './sender-state.ts';
import { phoneTabs } from './tabs.ts';

const columns = [
  ...['Number', 'Network', 'State', 'Why', 'Phone heard', 'Wallet text'].map((name) => ({ name })),
  { name: 'Texts an hour', isNumber: true },
];

/** Every number that sends, the phone that it is in, and whether that is heard. */
export async function showPhones(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const [senders, around] = await Promise.all([listSenders(outside), surroundings(outside)]);
  const hearings = await hearingOf(
    outside,
    senders.map(({ number }) => number),
  );
  const add = html`<a class="button" href="${OPERATOR_PHONES}/new">Add a number</a>`;
  const rows = senders.map((sender, n) => {
    const known = around(sender);
    const { tone, word, why } = senderState(outside, sender, known);
    const [heard] = hearings[n]?.phones ?? [];
    return {
      href: senderAddress(sender.number),
      cells: [
        html`<span class="number">${shownNumber(sender.number)}</span>`,
        networks[sender.network].short,
        pill(tone, word),
        tone === 'good' ? '' : why,
        known.phone ? ago(outside, new Date(known.phone.heard_ms).toISOString()) : 'Never',
        heard ? ago(outside, heard.heard_at) : 'None yet',
        shownCount(sender.messages_per_hour),
      ],
    };
  });
  const nothing = emptyState(
    'No number yet',
    'Connect a phone to a gateway, and add the number of its SIM here: texts leave from it, and its payments are noticed.',
    add,
  );
  return {
    title: 'Phones',
    main: html`${phoneTabs(visit)}
${rows.length === 0 ? nothing : html`<p>${add}</p>${table('Numbers that send and hear', columns, rows)}`}`,
  };
}

/** Looks up what is known of a sender's phone: two reads for all. */
export async function surroundings(outside: Outside) {
  const [{ phones, pingsSinceMs }, outcomes] = await Promise.all([listPhones(outside), listOutcomes(outside)]);
  return ({ gateway, device_id }: Sender) => ({
    phone: phones.find((one) => one.gateway === gateway && one.device_id === device_id),
    pingsSinceMs: pingsSinceMs.get(gateway),
    outcomes,
  });
}
