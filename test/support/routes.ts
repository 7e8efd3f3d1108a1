import { manifest } from '../../functions/manifest.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { type HttpRow, type KeyKind, keyKindsOf, type Row } from '../../shared/runtime/triggers/row.ts';
import { loadFunction } from './load-function.ts';
import type { Call, TestMerchant } from './world.ts';

/** Bodies that pass validation, for the routes with a key. */
export const goodBodies: Record<string, object> = {
  'transaction/initialize': { amount: 36 },
  'sms/send': { to: '0551112223', message: 'Hello' },
  'sms/bulk': { message: 'Hello {name}', recipients: [{ to: '0551112223', name: 'Ama' }] },
  'sms/buy-credits': { credits: 500, price: 30 },
  'contact/store': { contacts: [{ number: '0551112223', name: 'Ama' }] },
  'verify/start': { to: '0551112223' },
  'verify/check': { id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00', code: '123456' },
  'receipt/assign': { reference: 'MK-0000000000' },
  'transaction/refund': { amount: 1 },
  'transaction/close-refund': { outcome: 'sent' },
  'link/create': { title: 'Offering', min_amount: 5 },
  'link/change': { title: 'Offering' },
  'link/add-codes': { codes: ['WIFI-7QK2-M9XD'] },
  'request/create': { title: 'Fees', lines: [{ description: 'Tuition', amount: 36 }] },
  'request/create-many': { requests: [{ title: 'Fees', lines: [{ description: 'Tuition', amount: 36 }] }] },
  'webhook/set': { url: 'https://shop.example.com/webhook' },
  'test/simulate': { outcome: 'paid' },
  'test/receive': { from: '0551112223', message: 'Is it still there?' },
};

export type CalledByHttp = {
  [Name in keyof typeof manifest]: (typeof manifest)[Name] extends { readonly on: 'http' | 'area' } ? Name : never;
}[keyof typeof manifest];

export function isCalledByHttp(name: string): name is CalledByHttp {
  return Object.entries(manifest).some(([one, { on }]) => one === name && (on === 'http' || on === 'area'));
}

export function httpRoutes(): { name: CalledByHttp; row: HttpRow }[] {
  return Object.entries<Row>(manifest).flatMap(([name, row]) =>
    row.on === 'http' && isCalledByHttp(name) ? [{ name, row }] : [],
  );
}

export function loadRoute(name: string): Promise<HttpHandler> {
  return loadFunction(name);
}

export function pathWith({ path }: HttpRow, id = ''): Pick<Call, 'path' | 'parameters'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    path: path.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed())),
    ...(names.length > 0 && { parameters: Object.fromEntries(names.map((name) => [name, id])) }),
  };
}

type Keys = Pick<TestMerchant, 'liveKey' | 'smsKey'>;

export function keyOf({ liveKey, smsKey }: Keys, kind: KeyKind): string {
  return kind === 'live' ? liveKey : smsKey;
}

export function keysFor(row: HttpRow, merchant: Keys): string[] {
  return keyKindsOf(row).map((kind) => keyOf(merchant, kind));
}
