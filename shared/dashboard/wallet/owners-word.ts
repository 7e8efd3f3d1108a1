import { html } from 'hono/html';
import * as z from 'zod/mini';
import { audited } from '../../audit/audited.ts';
import type { Wallet } from '../../chain/chain.table.ts';
import { denyWallet } from '../../chain/confirm-wallet.ts';
import { Balance } from '../../ghana/balance.ts';
import { ghsOf, shownAmount } from '../../ghana/money.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { nothingSaysSo, takeOwnersWord } from '../../wallet/take-owners-word.ts';
import type { WalletView } from '../../wallet/wallet-view.ts';
import type { Html } from '../html.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, PersonVisit } from '../visit.ts';

/** What the owner says that the wallet holds or held, or that it never did. */
export const WordForm = z.object({ balance: Balance });

/** Where the two answers go: their paths in the table of pages, and their addresses. */
export interface WordForms {
  readonly path: string;
  readonly action: string;
}

/** The question that waits, if one does, and the ways to say what the wallet holds. */
export function askForWord(
  visit: Pick<PersonVisit, 'once' | 'refused'>,
  { question, branches, balance: proven }: WalletView,
  { path, action }: WordForms,
): Html {
  const held = (balance: number) => html`<input type="hidden" name="balance" value="${balance}">`;
  // Of the proven balance, yes and no would be one answer.
  const asked = question?.balance ?? branches.findLast(({ balance }) => balance !== proven)?.balance;
  const answers = asked !== undefined && [
    html`<p><b>Did the wallet hold GHS ${shown(asked)}?</b> Its owner sees it in the wallet itself (MTN: *170#, My Wallet), which no text can forge.</p>`,
    html`<div class="actions">${form(visit, { path: `${path}/confirm`, action: `${action}/confirm`, submit: `Yes, it held GHS ${shown(asked)}` }, () => held(asked))}
${form(visit, { path: `${path}/deny`, action: `${action}/deny`, submit: 'Not mine: it never did', isDangerous: true }, () => held(asked))}</div>`,
    html`<p class="hint">Yes: the texts are true, and their payments are given to their charges. No: they are forged, and none of their payments counts.</p>`,
  ];
  const other = form(
    visit,
    { path: `${path}/balance`, action: `${action}/balance`, submit: 'This is what it holds' },
    (filled) =>
      field(filled, {
        name: 'balance',
        label: 'What the wallet shows now',
        inputMode: 'decimal',
        hint: 'In cedis: 3017.27. It must be what one of the texts that wait says.',
        isRequired: true,
      }),
  );
  return section('The owner’s word', [
    ...(answers || [html`<p class="hint">Nothing waits that the owner’s word could decide.</p>`]),
    ...(branches.length > 0 ? [other] : []),
  ]);
}

type Answered = Pick<PersonVisit<string, z.infer<typeof WordForm>>, 'form' | 'user' | 'commit'>;

/** What the answer is about, whose audit tells of it, and where one goes then. */
interface Answering {
  readonly wallet: Wallet;
  readonly merchantId: string | undefined;
  readonly goTo: string;
}

/** @throws PublicError where no text that waits leads to the balance, or the word could mean two things. */
export async function confirmWord(visit: Answered, outside: Outside, answering: Answering): Promise<Going> {
  const { balance } = visit.form;
  const { linked, contradicted } = await takeOwnersWord(
    noted(visit, outside, answering, 'wallet confirm'),
    answering.wallet,
    balance,
  );
  const forged = contradicted === 0 ? '' : ` ${texts(contradicted)} that contradict it count as forged.`;
  const notice = `The wallet holds GHS ${shownAmount(balance)}: ${texts(linked)} proven by it.${forged}`;
  return visit.commit([], { goTo: answering.goTo, notice });
}

export async function denyWord(visit: Answered, outside: Outside, answering: Answering): Promise<Going> {
  const { balance } = visit.form;
  const forged = await denyWallet(noted(visit, outside, answering, 'wallet deny'), answering.wallet, balance);
  // A second tap finds nothing any more, and is told what the first one did.
  const notice =
    forged === 0
      ? `${nothingSaysSo(answering.wallet.momo_number, balance)} Nothing was changed.`
      : `${texts(forged)} marked as forged: their payments do not count.`;
  return visit.commit([], { goTo: answering.goTo, notice });
}

function noted({ form, user }: Answered, outside: Outside, { wallet, merchantId }: Answering, action: string): Outside {
  const about = `${wallet.network} ${wallet.momo_number}`;
  const after = { balance: ghsOf(form.balance) };
  return audited(outside, () => ({ merchant_id: merchantId, by: user.user_id, action, about, after }));
}

function texts(count: number): string {
  return `${count} text${count === 1 ? '' : 's'}`;
}

function shown(ghs: number): string {
  return shownAmount(Math.round(ghs * 100));
}
