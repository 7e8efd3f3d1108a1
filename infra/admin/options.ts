import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type * as z from 'zod/mini';
import { BalanceLimit } from '../../shared/ghana/balance-limit.ts';
import { pesewasOf } from '../../shared/ghana/money.ts';
import { Network } from '../../shared/ghana/network.ts';
import { NUMBER_RULE, parsePhoneNumber } from '../../shared/ghana/phone-number.ts';
import { AmountFromZero, wholeNumber as typedWholeNumber } from '../../shared/ghana/typed.ts';
import { type Image, readImage } from '../../shared/merchants/logo/image.ts';
import type { BalanceLimitChange } from '../../shared/merchants/merchant/manage-merchant.ts';
import { MAX_MOMO_ACCOUNTS, type MomoAccount, parseMomoAccount } from '../../shared/merchants/merchant/merchant.ts';
import type { Setting } from '../../shared/operations/settings/settings.ts';
import { GatewayName } from '../../shared/phones/sender/sender-fields.ts';
import { type KeyPermission, keyPermissions } from '../../shared/runtime/triggers/row.ts';
import { WebhookEventType } from '../../shared/webhook/event.ts';
import { required } from './command.ts';

export const MERCHANT = required('<id>', 'the merchant', String);

// Parsers for option values. Commander's errors name the option.

function orRefuse<Value>(read: Value | undefined, rule: string): Value {
  if (read === undefined) throw new InvalidArgumentError(rule);
  return read;
}

/** Parses an option with the schema of the corresponding dashboard field. */
export function read<Value>(field: z.ZodMiniType<Value, string>, more = '') {
  return (written: string): Value => {
    const { data, error } = field.safeParse(written);
    return orRefuse(data, `It ${error?.issues[0]?.message}${more}.`);
  };
}

export const GATEWAY = required('<name>', 'the gateway account that connects the phone', read(GatewayName));

export const amountFromZero = read(AmountFromZero);
export const positiveInteger = read(typedWholeNumber(1));
export const wholeNumber = read(typedWholeNumber(0));

export function phoneNumber(written: string): string {
  return orRefuse(parsePhoneNumber(written), NUMBER_RULE);
}

export function emailAddress(written: string): string {
  const [address] = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.exec(written.trim()) ?? [];
  return orRefuse(address?.toLowerCase(), 'Enter a complete e-mail address, such as kofi@example.com.');
}

/** Parses a time to ms since 1970. */
export function someTime(written: string): number {
  const ms = Date.parse(written);
  return orRefuse(Number.isNaN(ms) ? undefined : ms, 'Enter a time, such as 2026-12-01T09:30:00Z.');
}

export function network(written: string): Network {
  return orRefuse(Network.safeParse(written.toUpperCase()).data, `Use one of ${Network.options.join(', ')}.`);
}

export function keyScope(written: string): KeyPermission[] {
  return oneByOne(written, keyPermissions, 'The permissions of keys');
}

export function eventTypes(written: string): WebhookEventType[] {
  return oneByOne(written, WebhookEventType.options, 'The types of events');
}

function oneByOne<const Name extends string>(written: string, names: readonly Name[], what: string): Name[] {
  return written.split(',').map((name) => {
    const known = names.find((one) => one === name.trim());
    return orRefuse(known, `${what} are ${names.join(', ')}.`);
  });
}

/** Parses `NUMBER:NETWORK:ACCOUNT NAME`. The option can be repeated. */
export function momoAccount(written: string, earlier: MomoAccount[] = []): MomoAccount[] {
  const account = parseMomoAccount(written);
  if (typeof account === 'string') throw new InvalidArgumentError(account);
  if (earlier.length < MAX_MOMO_ACCOUNTS) return [...earlier, account];
  throw new InvalidArgumentError(`A merchant can have at most ${MAX_MOMO_ACCOUNTS} MoMo accounts.`);
}

export function logoIn(written: string): Image | null {
  if (written.trim().toLowerCase() === 'none') return null;
  const bytes = orRefuse(
    existsSync(written) ? readFileSync(written) : undefined,
    `The file ${written} does not exist.`,
  );
  const image = readImage(bytes);
  return orRefuse(typeof image === 'string' ? undefined : image, `The image ${image}.`);
}

/** Parses `CEDIS` (a limit for all of a merchant's wallets) or `NUMBER:CEDIS` (a limit for one wallet). */
export function balanceLimit(written: string): BalanceLimitChange {
  const [, number, limit] = /^(?:([^:]+):)?(\d+|unknown)$/.exec(written.trim()) ?? [];
  const parsed = limit === 'unknown' ? undefined : BalanceLimit.safeParse(pesewasOf(Number(limit)));
  if (limit === undefined || parsed?.success === false) {
    throw new InvalidArgumentError('Enter 5000, 40000, 75000 or unknown, or 0241234567:40000 for a single wallet.');
  }
  return { number: number === undefined ? undefined : phoneNumber(number), limit_pesewas: parsed?.data };
}

export function someText(written: string): string {
  return orRefuse(written.trim() || undefined, 'Enter at least one character.');
}

/** Defines the option for a setting. A keyword clears the setting. */
export function settingOption<Value>({ read: field, none, option: [value, description] }: Setting<Value>) {
  const parsed = read(field, none && `; ${none} removes it`);
  const parse = (written: string): Value | null =>
    none !== undefined && written.trim().toLowerCase() === none ? null : parsed(written);
  return { value, description, parse };
}
