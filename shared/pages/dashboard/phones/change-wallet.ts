import type * as z from 'zod/mini';
import { audited } from '../../../merchants/audit/audited.ts';
import { numberHint } from '../../../merchants/audit/number-hint.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { setProve } from '../../../wallets/chain/change-chain.ts';
import { hearingOf, setCanary } from '../../../wallets/wallet/hearing.table.ts';
import type { Going } from '../visit.ts';
import { modes } from '../wallet/modes.ts';
import { confirmWord, denyWord, type WordForm } from '../wallet/owners-word.ts';
import { operatorWalletAddress } from './addresses.ts';
import { chainOf, type HearingForm, type ModeForm, type OfWallet } from './wallet.ts';

type Answered = OfWallet<z.infer<typeof WordForm>>;

export async function confirmBalance(visit: Answered, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  return confirmWord(visit, outside, chain, operatorWalletAddress(chain), false);
}

export async function nameBalance(visit: Answered, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  return confirmWord(visit, outside, chain, operatorWalletAddress(chain), true);
}

export async function denyBalance(visit: Answered, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  return denyWord(visit, outside, chain, operatorWalletAddress(chain));
}

export async function setMode(visit: OfWallet<z.infer<typeof ModeForm>>, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  const { mode } = visit.form;
  await setProve(noted(visit, outside, chain, { prove: mode }, { prove: chain.mode }), chain, mode);
  return { goTo: operatorWalletAddress(chain), notice: modes[mode].means };
}

export async function setHearingTest(visit: OfWallet<z.infer<typeof HearingForm>>, outside: Outside): Promise<Going> {
  const chain = await chainOf(visit, outside);
  const { canary } = visit.form;
  const [hearing] = await hearingOf(outside, [chain.momo_number]);
  if (hearing?.canary !== (canary === 'on'))
    await setCanary(noted(visit, outside, chain, { canary }), chain.momo_number, canary === 'on');
  return {
    goTo: operatorWalletAddress(chain),
    notice: canary === 'on' ? 'Its hearing is tested again.' : 'Its hearing is not tested any more.',
  };
}

type Values = Readonly<Record<string, string>>;

function noted(
  { user }: Pick<OfWallet, 'user'>,
  outside: Outside,
  chain: Chain,
  after: Values,
  before?: Values,
): Outside {
  const about = `${chain.network} ${numberHint(chain.momo_number)}`;
  return audited(outside, () => ({ by: user.user_id, action: 'wallet set', about, after, ...(before && { before }) }));
}
