import { html } from 'hono/html';
import * as z from 'zod/mini';
import { audited } from '../../audit/audited.ts';
import { denyWallet } from '../../chain/confirm-wallet.ts';
import { networks } from '../../checkout/networks.ts';
import { shownNumber } from '../../checkout/shown-number.ts';
import { shownAmount } from '../../ghana/money.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { takeOwnersWord } from '../../wallet/take-owners-word.ts';
import { HOME } from '../addresses.ts';
import { form } from '../parts/form.ts';
import { facts, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { balanceAddress } from './addresses.ts';
import { chainSeen, type WalletSeen } from './wallets-seen.ts';

/** The balance that the page asked about: an answer is to that question and no other. */
export const BalanceForm = z.object({ pesewas: z.string().check(z.regex(/^\d{1,12}$/, 'must be a balance')) });

type Names = 'network' | 'number';
type Answered = MerchantVisit<Names, z.infer<typeof BalanceForm>>;

/** Asks the owner of a wallet whether it held what texts say that continue nothing which is known. */
export async function askBalance(visit: MerchantVisit<Names>, outside: Outside): Promise<Shown> {
  const { account, question } = await walletOf(visit, outside);
  const title = `Your ${account.network} wallet`;
  if (!question)
    return {
      title,
      main: html`<p>Nothing is asked of this wallet now.</p><p><a class="plain button" href="${HOME}">To the first page</a></p>`,
    };
  const amount = `GHS ${shownAmount(question.pesewas)}`;
  const held = html`<input type="hidden" name="pesewas" value="${question.pesewas}">`;
  const action = (answer: string) => `${balanceAddress(account)}/${answer}`;
  return {
    title,
    main: html`${section(
      `Is your balance now ${amount}?`,
      html`<p>Texts about this wallet came that do not follow from those before them: a text between may be missing, or somebody forged them. Until you
answer, their payments may have to wait.</p>
<p><b>Look into the wallet itself: dial ${networks[account.network].ussd} on the phone of ${shownNumber(account.number)}.</b> Do not go by the texts: they are what is in
doubt. If money has come or gone since, look in the wallet’s statement what it held at this time:</p>
${facts([
  ['At', shownTime(question.at)],
  ['The texts say that it held', amount],
])}`,
    )}
${section('It is, or was at that time', [
  html`<p>Then the texts are true: their payments are given to their charges.</p>`,
  form(
    visit,
    { path: '/balance/{network}/{number}/yes', action: action('yes'), submit: `Yes, it held ${amount}` },
    () => held,
  ),
])}
${section('It never was', [
  html`<p>Then the texts are forged: none of their payments counts, and none of the goods should leave.</p>`,
  form(
    visit,
    { path: '/balance/{network}/{number}/no', action: action('no'), submit: 'No, never', isDangerous: true },
    () => held,
  ),
])}`,
  };
}

/** A second tap is led where the first one was. */
export async function confirmBalance(visit: Answered, outside: Outside): Promise<Going> {
  const { wallet, pesewas, noted } = await answerOf(visit, outside, 'wallet confirm');
  await takeOwnersWord(noted, wallet, pesewas);
  return visit.commit([], { goTo: HOME, notice: 'Thank you. The payments of these texts are settled now.' });
}

export async function denyBalance(visit: Answered, outside: Outside): Promise<Going> {
  const { wallet, pesewas, noted } = await answerOf(visit, outside, 'wallet deny');
  await denyWallet(noted, wallet, pesewas);
  const notice = 'Thank you. The texts are marked as forged, and their payments do not count.';
  return visit.commit([], { goTo: HOME, notice });
}

/** What was answered, which the audit notes. Somebody else, or a text, may have answered meanwhile: then nothing is asked any more. */
async function answerOf(visit: Answered, outside: Outside, action: string) {
  const { account, question } = await walletOf(visit, outside);
  const pesewas = Number(visit.form.pesewas);
  if (question?.pesewas !== pesewas)
    throw new PublicError(
      'invalid_request',
      'This is not asked any more: the wallet’s texts have gone on. Look at it again.',
    );
  const about = `${account.network} ${account.number}`;
  const entry = () => ({ merchant_id: visit.merchant.merchant_id, by: visit.user.user_id, action, about });
  return {
    wallet: { network: account.network, momo_number: account.number },
    pesewas,
    noted: audited(outside, entry),
  };
}

/** @throws PublicError `not_found` for a wallet that is not the merchant's. */
async function walletOf(
  { path, merchant }: Pick<MerchantVisit<Names>, 'path' | 'merchant'>,
  outside: Outside,
): Promise<Pick<WalletSeen, 'account' | 'question'>> {
  const account = merchant.momo_accounts.find(
    ({ network, number }) => network === path.network && number === `+${path.number}`,
  );
  if (!account) throw new PublicError('not_found', 'You have no such wallet.');
  return { account, question: (await chainSeen(outside, account)).question };
}
