/** Replaces the SDK's credential look-up in the bundles. On Lambda, credentials are in environment variables. */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
