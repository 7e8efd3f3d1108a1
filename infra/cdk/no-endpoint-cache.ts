/** Replaces the cache of the SDK's endpoint discovery in the bundles. DynamoDB has no endpoints to discover. */
export class EndpointCache {}
