/**
 * Replaces the SDK's search for credentials in the bundles. Lambda gives a function its role's by environment variables;
 * profiles, SSO, web identities and the metadata of other machines are not looked for.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
