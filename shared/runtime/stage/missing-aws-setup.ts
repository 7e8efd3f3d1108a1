/**
 * What an operator must set up before any call to AWS can work, as a sentence; undefined for every other error. The names of
 * AWS's refusals differ from service to service.
 */
export function missingAwsSetup(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === 'Region is missing')
    return 'No AWS region is set: set AWS_REGION, or a region in your AWS profile.';
  if (error.name === 'CredentialsProviderError') return 'No AWS credentials were found: sign in first.';
  return REFUSED.has(error.name) ? `AWS rejected your credentials (${error.name}): sign in again.` : undefined;
}

/** Whether IAM refused it: the caller is known, and lacks the right. */
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
