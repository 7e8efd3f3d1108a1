import { CURRENCY } from '../../../ghana/country.ts';
import { ghsOf } from '../../../ghana/money.ts';
import { Network } from '../../../ghana/network.ts';
import { listMerchants } from '../../../merchants/merchant/merchant.table.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { listOutcomes } from '../../../runtime/table/recent-outcomes.ts';
import { DAY_MS } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { FEW_AT_ONCE, sideBySide } from '../../../runtime/values/side-by-side.ts';
import { type WalletNotice, walletNoticeRows } from '../../../wallets/wallet/wallet-notice.table.ts';
import { unreadWallets } from '../../../wallets/wallet/watch-readings.ts';
import { type Finding, fine, wrong } from '../finding.ts';

/**
 * Checks that no wallet was too full for a payment in the last day, and that merchants of nearly full wallets were
 * notified.
 */
export async function checkWallets({ outside }: Deployment): Promise<Finding[]> {
  const since = isoOf(outside.now() - DAY_MS);
  const wallets = await walletsOf(outside);
  const examined: Finding[] = [];
  await sideBySide(outside, { items: wallets, atOnce: FEW_AT_ONCE }, async ([network, number]) => {
    const notices = inOrder(await walletNoticeRows.list(outside, { network, momo_number: number }));
    examined.push(...examine(notices.filter(({ received_at }) => received_at > since)));
  });
  const findings = [...examined, ...unreadWallets(await listOutcomes(outside)).map(unreadable)];
  return findings.length > 0
    ? findings
    : [fine('No wallet was too full for a payment in the last day, and all texts from wallets can be read.')];
}

const NOT_NOTIFIED =
  'No merchant was notified: the number is shared by several merchants, belongs to none, or is registered with another network.';

/**
 * Returns the wallets of all merchants and senders. For phones that do not report the paid number, adds one wallet
 * without a number per network.
 */
async function walletsOf(outside: Deployment['outside']): Promise<[Network, string | undefined][]> {
  const accounts = (await listMerchants(outside)).flatMap(({ momo_accounts }) => momo_accounts);
  const known = [...accounts, ...(await listSenders(outside))].map(({ network, number }) => `${network} ${number}`);
  return [...new Set([...known, ...Network.options])].map((wallet) => {
    const [network, number] = wallet.split(' ');
    return [Network.parse(network), number];
  });
}

function inOrder(notices: readonly WalletNotice[]): WalletNotice[] {
  return notices.toSorted((a, b) => (a.received_at < b.received_at ? -1 : 1));
}

function examine(notices: readonly WalletNotice[]): Finding[] {
  const refused = notices.filter((notice) => notice.kind === 'payment_refused');
  const untold = notices.filter((notice) => notice.kind === 'near_limit').filter((one) => !one.merchant_id);
  return [...refused.slice(-1).map((last) => refusals(last, refused.length)), ...untold.slice(-1).map(nearlyFull)];
}

function unreadable({ number, network, unread }: ReturnType<typeof unreadWallets>[number]): Finding {
  return wrong(
    `${unread} of the last ten texts from the wallet ${number || 'of an unknown number'} (${network}) could not be read. ${network} may have changed its wording. Payments in such texts are not recognised.`,
    'List them with: receipt list --status unread. Then follow docs/operate/runbooks.md, "Support new network wording".',
  );
}

type Kind<Name> = Extract<WalletNotice, { kind: Name }>;

function refusals(last: Kind<'payment_refused'>, count: number): Finding {
  const { momo_number = 'an unknown number', network, amount_pesewas, payer_name, received_at, merchant_id } = last;
  return wrong(
    `The wallet ${momo_number} (${network}) has reached its daily limit. It refused ${counted(count, 'payment')} in the last day, the last one for ${CURRENCY} ${ghsOf(amount_pesewas)} from ${payer_name} at ${received_at}.`,
    `${merchant_id ? `Its merchant ${merchant_id} was notified.` : NOT_NOTIFIED} Ask the network to raise the limit. Until tomorrow, put another number first with: merchant set --merchant ${merchant_id ?? 'ID'} --momo "NUMBER:NETWORK:ACCOUNT NAME"`,
  );
}

function nearlyFull({ momo_number, network, balance_pesewas, limit_pesewas, assumed }: Kind<'near_limit'>): Finding {
  const limit = `${assumed ? 'perhaps ' : ''}${CURRENCY} ${ghsOf(limit_pesewas)}`;
  return wrong(
    `The wallet ${momo_number} (${network}) has a balance of ${CURRENCY} ${ghsOf(balance_pesewas)}, near its limit of ${limit}. It will soon refuse payments.`,
    `${NOT_NOTIFIED} Ask its owner to move money out.`,
  );
}
