import { AwsClient } from 'aws4fetch';
import { environment } from './environment.ts';

interface Request extends Pick<RequestInit, 'headers' | 'body' | 'signal'> {
  /** The local stack's, in place of AWS's. */
  readonly endpoint?: string | undefined;
  /** How often it is repeated where AWS is busy. */
  readonly retries?: number;
}

/**
 * One signed POST to an AWS service, in the region of the function and with its role. The library is 8 KB of a bundle, an SDK's
 * client 14. @throws if there is no answer.
 */
export function askAws(service: string, path: string, { endpoint, retries, ...init }: Request): Promise<Response> {
  const region = environment('AWS_REGION');
  const client = new AwsClient({
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    sessionToken: process.env.AWS_SESSION_TOKEN,
    service,
    region,
    ...(retries !== undefined && { retries }),
  });
  // As the SDK's clients do, which read the variable by themselves.
  const host = endpoint || process.env.AWS_ENDPOINT_URL || `https://${service}.${region}.amazonaws.com`;
  return client.fetch(`${host.replace(/\/$/, '')}${path}`, { ...init, method: 'POST' });
}
