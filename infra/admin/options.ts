import { InvalidArgumentError } from 'commander';
import { parseBalance } from '../../shared/ghana/balance.ts';
import { BalanceLimit } from '../../shared/ghana/balance-limit.ts';
import { pesewasOf } from '../../shared/ghana/money.ts';
import { Network } from '../../shared/ghana/network.ts';
import { NUMBER_RULE, parsePhoneNumber, WHATSAPP_EXAMPLE } from '../../shared/ghana/phone-number.ts';
import { parseContact } from '../../shared/merchants/merchant/contact.ts';
import type { BalanceLimitChange } from '../../shared/merchants/merchant/manage-merchant.ts';
import { MAX_MOMO_ACCOUNTS, type MomoAccount, parseMomoAccount } from '../../shared/merchants/merchant/merchant.ts';
import { type KeyPermission, keyPermissions } from '../../shared/runtime/triggers/row.ts';
import { required } from './command.ts';

export const MERCHANT = required('<id>', 'the merchant', String);
export const GATEWAY = required('<name>', 'the gateway account that connects the phone', gatewayName);

// What an option's value may be. Each throws commander's error, which names the option.

export function phoneNumber(written: string): string {
  const number = parsePhoneNumber(written);
  if (!number) throw new InvalidArgumentError(NUMBER_RULE);
  return number;
}

export function emailAddress(written: string): string {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(written.trim())) return written.trim().toLowerCase();
  throw new InvalidArgumentError('Write a whole e-mail address: kofi@example.com.');
}

export function network(written: string): Network {
  const parsed = Network.safeParse(written.toUpperCase());
  if (!parsed.success) throw new InvalidArgumentError(`The networks are ${Network.options.join(', ')}.`);
  return parsed.data;
}

/** Permissions, separated by commas. */
export function keyScope(written: string): KeyPermission[] {
  return written.split(',').map((name) => {
    const known = keyPermissions.find((one) => one === name.trim());
    if (!known) throw new InvalidArgumentError(`The permissions of keys are ${keyPermissions.join(', ')}.`);
    return known;
  });
}

/** `NUMBER:NETWORK:ACCOUNT NAME`, collected if the option is repeated. */
export function momoAccount(written: string, earlier: MomoAccount[] | undefined): MomoAccount[] {
  const account = parseMomoAccount(written);
  if (typeof account === 'string') throw new InvalidArgumentError(account);
  if (earlier && earlier.length >= MAX_MOMO_ACCOUNTS) {
    throw new InvalidArgumentError(`A merchant has at most ${MAX_MOMO_ACCOUNTS} MoMo accounts.`);
  }
  return [...(earlier ?? []), account];
}

/** What a customer is shown as the merchant's contact; empty for `none`. */
export function contact(written: string): string {
  if (written.trim().toLowerCase() === 'none') return '';
  const parsed = parseContact(written);
  if (parsed) return parsed;
  throw new InvalidArgumentError(
    `Write a Ghanaian number (0241234567), an e-mail address, a WhatsApp link with the full number (${WHATSAPP_EXAMPLE}), or none.`,
  );
}

/** It is part of the address that the phones post to. */
function gatewayName(written: string): string {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(written)) return written;
  throw new InvalidArgumentError('Write a lower-case letter, then up to 31 letters, digits or dashes.');
}

/** Cedis as they are written, 0 included. */
export function amountInPesewas(written: string): number {
  const pesewas = written.trim() === '' ? undefined : pesewasOf(Number(written));
  if (pesewas === undefined) throw new InvalidArgumentError('Write an amount in cedis: 500 or 49.99, or 0 for never.');
  return pesewas;
}

/** What is in a wallet, in cedis, as it is shown or as a number. */
export function balance(written: string): number {
  const pesewas = parseBalance(written);
  if (pesewas === undefined) throw new InvalidArgumentError('Write the balance in cedis: 3017.27.');
  return pesewas;
}

/** An amount in cedis, or `off`. */
export function amountOrOff(written: string): number | 'off' {
  return written.trim() === 'off' ? 'off' : amountInPesewas(written);
}

/** `CEDIS` for all wallets of a merchant, `NUMBER:CEDIS` for one. */
export function balanceLimit(written: string): BalanceLimitChange {
  const [, number, limit] = /^(?:([^:]+):)?(\d+|unknown)$/.exec(written.trim()) ?? [];
  const parsed = limit === 'unknown' ? undefined : BalanceLimit.safeParse(pesewasOf(Number(limit)));
  if (limit === undefined || parsed?.success === false) {
    throw new InvalidArgumentError('Write 5000, 40000, 75000 or unknown; for one wallet 0241234567:40000.');
  }
  return { number: number === undefined ? undefined : phoneNumber(number), limit_pesewas: parsed?.data };
}

export function positiveInteger(written: string): number {
  return integerFrom(1, written);
}

export function wholeNumber(written: string): number {
  return integerFrom(0, written);
}

function integerFrom(least: number, written: string): number {
  const number = Number(written);
  if (!/^\d+$/.test(written) || number < least || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError(`Write a whole number from ${least}.`);
  }
  return number;
}

export function someText(written: string): string {
  if (written.trim() === '') throw new InvalidArgumentError('Write at least one character.');
  return written.trim();
}
