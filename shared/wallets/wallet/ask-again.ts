import { gatewayAccount } from '../../phones/gateway/accounts.ts';
import { noteNoInbox, takeInboxTurn } from '../../phones/gateway/phone.table.ts';
import { askForInbox } from '../../phones/gateway/smsgate.ts';
import type { Outside } from '../../runtime/outside/outside.ts';

/** A phone, by its id at its gateway. */
export interface AskedPhone {
  readonly gateway: string;
  readonly device_id: string;
}

/** The phone looks by the network's clock, and what it has posted before it leaves out: asking for more costs nothing. */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Asks a phone to post what it received in a period and has not posted. Gives whether it was asked: not if that was done within the
 * last ten minutes, whoever asked, nor if its server cannot. Never throws: what asks has something more important to do.
 */
export async function askPhoneAgain(
  outside: Outside,
  { gateway, device_id }: AskedPhone,
  since: string,
  until: string,
): Promise<boolean> {
  const ids = { gateway, device: device_id };
  try {
    if (!(await takeInboxTurn(outside, gateway, device_id))) return false;
    const account = await gatewayAccount(outside, gateway);
    const period = { sinceMs: Date.parse(since) - MARGIN_MS, untilMs: Date.parse(until) + MARGIN_MS };
    const isAsked = await askForInbox(outside, account, { deviceId: device_id, ...period });
    if (!isAsked) await noteNoInbox(outside, gateway, device_id);
    outside.log.info(isAsked ? 'phone_asked_again' : 'phone_cannot_be_asked', ids);
    return isAsked;
  } catch (error) {
    outside.log.warn('phone_not_asked', { ...ids, error });
    return false;
  }
}
