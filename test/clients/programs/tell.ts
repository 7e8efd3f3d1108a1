/** Results that a program read with its client, for the test to compare with the service's data. */
interface Read {
  readonly server: string | undefined;
  readonly paid: {
    readonly reference: string;
    readonly status: string;
    readonly payment: { readonly payer_name: string | null; readonly proof: unknown } | null;
    readonly disputed: unknown;
  };
  readonly webhook: { readonly url: string };
  readonly error: string | null | undefined;
}

export function tell({ server, paid: { reference, status, payment, disputed }, webhook, error }: Read): void {
  const { payer_name: payer, proof } = payment ?? {};
  console.log(JSON.stringify({ server, reference, status, payer, proof, disputed, hook: webhook.url, error }));
}
