import { html } from 'hono/html';
import { type MerchantChanges, merchantAfter } from '../../../merchants/merchant/manage-merchant.ts';
import { replaceMerchant } from '../../../merchants/merchant/merchant.table.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { listChanges, proposeChanges, tellOwners } from '../../../merchants/merchant/money-change.table.ts';
import { moneyChangesOf, withoutRisk } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { auditedDifference, type Setting, type SettingName, settings } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { CHANGES } from './addresses.ts';
import { type Html, section } from './content.ts';
import { type Field, field, fields, formSection, type Part, tick } from './form.ts';
import type { Going, MerchantVisit, Shown } from './visit.ts';

/**
 * Changes settings, like the `merchant set` command, with an audit entry. If the person needs approval, changes that
 * increase a risk wait for an owner's approval.
 */
export async function changeShop(
  { merchant, user, commit }: Pick<MerchantVisit<never, unknown>, 'merchant' | 'user' | 'commit'>,
  outside: Outside,
  changes: MerchantChanges,
  going: Going,
): Promise<Going> {
  const wanted = await merchantAfter(outside, merchant, changes);
  const { safe, waits } = may(user, 'settings:approve') ? { safe: wanted, waits: [] } : withoutRisk(merchant, wanted);
  const { merchant_id } = merchant;
  const difference = auditedDifference(merchant, safe);
  const notifications = tellOwners(outside, merchant_id, moneyChangesOf(merchant, safe), { by: user.user_id });
  // Two different numbers may look the same in the audit log, which shows only the last digits.
  const isChanged = difference !== undefined || notifications.length > 0;
  const writes = isChanged ? [...replaceMerchant(merchant, safe), ...notifications] : [];
  const set = isChanged ? [{ merchant_id, action: 'merchant set', ...difference }] : [];
  if (waits.length === 0) return commit(writes, going, ...set);
  const notice = `This change is awaiting an owner’s approval. Owners see the change on their start page.${isChanged ? ' The rest is saved.' : ''}`;
  const before = await listChanges(outside, merchant_id);
  const proposed = proposeChanges(outside, { merchant_id, by: user.user_id }, waits, before);
  const entry = { merchant_id, action: 'change propose', ...auditedDifference(safe, wanted) };
  return commit(
    [...writes, ...proposed],
    { goTo: CHANGES, notice, isWaiting: true },
    ...set,
    ...(proposed.length > 0 ? [entry] : []),
  );
}

/** Asks the operator to approve a number. Replaces the owner's previous request. */
export async function askOperator(
  { merchant, user, commit }: Pick<MerchantVisit<never, unknown>, 'merchant' | 'user' | 'commit'>,
  outside: Outside,
  account: MomoAccount,
): Promise<Going> {
  const { merchant_id, momo_accounts } = merchant;
  const wanted = await merchantAfter(outside, merchant, { momo_accounts: [...momo_accounts, account] });
  const who = { merchant_id, by: user.user_id, needs: 'operator' } as const;
  const before = await listChanges(outside, merchant_id);
  const proposed = proposeChanges(outside, who, moneyChangesOf(merchant, wanted), before);
  const notice = 'This change is waiting for support. Nothing has changed yet. Send support the message below.';
  const entry = { merchant_id, action: 'change propose', ...auditedDifference(merchant, wanted) };
  return commit(proposed, { goTo: CHANGES, notice, isWaiting: true }, entry);
}

/** Says which changes need an owner's approval. */
export function ownerDecides({ user }: Pick<MerchantVisit, 'user'>): Html | undefined {
  if (!may(user, 'settings:write') || may(user, 'settings:approve')) return undefined;
  return html`<p class="hint">A new number, order or name, or a higher limit, <a href="${CHANGES}">needs an owner’s approval</a>. Removing a number or lowering a limit takes effect at once.</p>`;
}

interface SettingPage {
  readonly title: string;
  readonly now: Html | readonly Html[];
  readonly path: string;
  readonly submit?: string;
  readonly links?: Html;
}

export function settingPage(
  visit: MerchantVisit,
  { title, now, path, submit = 'Save', links }: SettingPage,
  content: Part,
): Shown {
  return {
    title,
    main: html`${section('Now', now)}
${may(visit.user, 'settings:write') && formSection(visit, 'Change it', { path, submit }, content)}${links}`,
  };
}

/** `said`: a note before the setting's hint, and a hint that replaces it. */
export function settingField(
  merchant: Merchant,
  name: SettingName,
  said: { readonly note?: string | undefined; readonly hint?: string | undefined } = {},
): Field {
  const { label, details, written, inputMode, none, isSwitch, ...setting }: Setting = settings[name];
  const { note, hint = setting.hint } = said;
  const value = written(merchant);
  if (isSwitch) return tick(name, label, { value });
  const hints = [note, hint].filter(Boolean).join(' ');
  const facts = { value, ...(hints && { hint: hints }), ...(inputMode && { inputMode }), isRequired: !none };
  return fields`${field(name, label, facts)}${details && html`<details><summary>${details.summary}</summary><p class="hint">${details.text}</p></details>`}`;
}
