import type { Place } from '../../../runtime/stage/place.ts';
import { type Finding, fine, notHere } from '../finding.ts';

/** Passkeys belong to a host name, so people have to make new ones when it changes. */
export async function checkDashboard(place: Place): Promise<Finding[]> {
  const { hostname } = new URL(await place.baseUrl());
  const isAws = hostname.endsWith('.amazonaws.com');
  if (!isAws) return [fine(`Passkeys of the dashboard belong to ${hostname}.`)];
  return [
    notHere(
      `There is no domain of your own: passkeys of the dashboard belong to ${hostname}. Under another name, everybody has to be invited again: user invite --user ID.`,
    ),
  ];
}
