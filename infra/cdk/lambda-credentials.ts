/**
 * Replaces the SDK's credential look-up in the bundles. Lambda passes the role's credentials in environment variables,
 * so profiles, SSO, web identities and metadata services are not needed.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
