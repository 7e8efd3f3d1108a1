/**
 * Bundled in the place of the SDK's credential chain: Lambda puts a function's credentials into its environment and nowhere
 * else. The rest of the chain (profiles, single sign-on, containers, EC2) is a third of a bundle that nothing would run.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
