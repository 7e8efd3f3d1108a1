import * as z from 'zod';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { type Finding, fine, notHere, wrong } from '../finding.ts';

/** Checks that the API responds, and that an unknown path returns the service's own error. */
export async function checkApi(deployment: Deployment): Promise<Finding[]> {
  const baseUrl = await deployment.baseUrl();
  try {
    const response = await deployment.outside.fetch(`${baseUrl}/no-such-route`, {
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status === 404 && isEnvelope(text)) return [fine(`The API responds at ${baseUrl}.`)];
    return [
      wrong(
        `${baseUrl} responds with ${response.status}, but this is not the response that this service sends.`,
        'Check that the name points to this stack (the output ApiUrl is the stack’s own address), and read the log of the function not-found.',
      ),
    ];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return [
      wrong(
        `${baseUrl} is not responding (${cause instanceof Error ? cause.message : cause}).`,
        deployment.aws
          ? 'If you use your own domain, check that it has a record pointing to the output DomainTarget. A new name takes a few minutes.'
          : 'Start the local stack again with: npm start',
      ),
    ];
  }
}

const Envelope = z.object({ status: z.literal(false), code: z.literal('not_found') });

function isEnvelope(text: string): boolean {
  try {
    return Envelope.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Checks the dashboard's host name. Passkeys are bound to this name and stop working if it changes. */
export async function checkDashboard(deployment: Deployment): Promise<Finding[]> {
  const { hostname } = new URL(await deployment.baseUrl());
  const isAws = hostname.endsWith('.amazonaws.com');
  if (!isAws) return [fine(`Dashboard passkeys belong to ${hostname}.`)];
  return [
    notHere(
      `The stage has no domain of its own, so dashboard passkeys belong to ${hostname}. If the name changes, invite everybody again with: user invite --user ID`,
    ),
  ];
}
