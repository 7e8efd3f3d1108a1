/** A pending charge, as the phone's page offers it. */
export interface OpenCharge {
  reference: string;
  amountPesewas: number;
  /** `+…`: the number that it is paid to. */
  momoNumber: string;
  network: string;
  customerName?: string | undefined;
  description?: string | undefined;
  checkoutUrl?: string | undefined;
}

/** The charge whose reference a payer typed, in whatever case and spacing. */
export function chargeOfReference(charges: readonly OpenCharge[], typed: string): OpenCharge | undefined {
  return charges.find(({ reference }) => plain(reference) === plain(typed));
}

function plain(reference: string): string {
  return reference.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
