import { OPERATOR_MERCHANTS } from '../addresses.ts';

export function merchantAddress(merchantId: string): string {
  return `${OPERATOR_MERCHANTS}/${merchantId}`;
}

/** A form of a merchant's page, and where it is sent. */
export function merchantForm(merchantId: string, what: string, submit: string) {
  return { path: `/{id}/${what}`, action: `${merchantAddress(merchantId)}/${what}`, submit };
}
