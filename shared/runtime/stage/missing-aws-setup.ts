/** Explains an error caused by missing AWS setup. Returns undefined for other errors. */
export function missingAwsSetup(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === 'Region is missing')
    return 'No AWS region is set. Set AWS_REGION, or a region in your AWS profile.';
  if (error.name === 'CredentialsProviderError') return 'No AWS credentials were found. Sign in first.';
  return REFUSED.has(error.name) ? `AWS rejected your credentials (${error.name}). Sign in again.` : undefined;
}

export function isDenied(error: unknown): error is Error {
  return error instanceof Error && /^(AccessDenied|AuthorizationError)(Exception)?$/.test(error.name);
}

const REFUSED = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'UnrecognizedClientException',
]);
