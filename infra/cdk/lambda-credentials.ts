/**
 * Stands in the bundles for the SDK's search for credentials. Lambda gives a function its role's by environment variables;
 * profiles, SSO, web identities and the metadata of other machines are not looked for.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
