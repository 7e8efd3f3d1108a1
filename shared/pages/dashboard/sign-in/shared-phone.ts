import { html } from 'hono/html';
import * as z from 'zod/mini';
import { merchantRows } from '../../../merchants/merchant/merchant.table.ts';
import { removeDevice } from '../../../merchants/user/device.table.ts';
import { deviceIn, noDeviceCookie } from '../../../merchants/user/device.ts';
import { endSession } from '../../../merchants/user/manage-access.ts';
import { CODE_DIGITS } from '../../../merchants/user/manage-shared-phones.ts';
import { sessionRows } from '../../../merchants/user/session.table.ts';
import { browserName, noSessionCookie, sessionCookie } from '../../../merchants/user/session.ts';
import type { SharedPhone } from '../../../merchants/user/shared-phone.table.ts';
import { activityCookie, sharedPhoneCookie, sharedPhoneIn } from '../../../merchants/user/shared-phone.ts';
import {
  choosePin,
  enrolPhone,
  phoneOf,
  requirePhoneLink,
  signInWithPin,
} from '../../../merchants/user/sign-in-with-pin.ts';
import { getUsers } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest, PublicError } from '../../../runtime/values/errors.ts';
import { dashboardStyle } from '../assets.ts';
import { ON_PHONE, SIGN_IN, safeNext } from '../parts/addresses.ts';
import { type Html, refreshed } from '../parts/content.ts';
import { type Field, field, form } from '../parts/form.ts';
import { leadList } from '../parts/leads.ts';
import type { Going, OpenVisit, PersonVisit, Shown, Visit } from '../parts/visit.ts';

/** Seconds between reloads of a shared phone's list of people. */
export const PEOPLE_SECONDS = 15;

export async function showPeople(visit: OpenVisit, outside: Outside): Promise<Shown | Going> {
  const next = safeNext(visit.query.next);
  const phone = await phoneHere(visit, outside);
  if (visit.visitor) return { goTo: next };
  if (!phone) return noPhone();
  const users = await peopleOf(outside, phone);
  const leads = users.map(({ user_id, name }) => ({
    name: phone.people[user_id]?.pin ? 'PIN' : 'Set a PIN',
    path: `${ON_PHONE}/person/${user_id}?${new URLSearchParams({ next })}`,
    now: name,
  }));
  return {
    title: phone.name,
    reloadSeconds: PEOPLE_SECONDS,
    main: html`${visit.query.unsent && html`<p><b>You were signed out, so nothing was done.</b> Sign in and send the form again.</p>`}
${refreshed(leads.length > 0 ? leadList(leads) : html`<p>Nobody can sign in here yet. An owner gives each person a code under <b>Settings, Shared phones</b>.</p>`)}
${withPasskey(next)}`,
  };
}

async function peopleOf(outside: Outside, phone: SharedPhone) {
  const users = await getUsers(outside, Object.keys(phone.people));
  return users
    .filter(({ removed_at }) => removed_at === undefined)
    .sort((one, other) => one.name.localeCompare(other.name));
}

function phoneHere({ cookies }: Pick<Visit, 'cookies'>, outside: Outside): Promise<SharedPhone | undefined> {
  return phoneOf(outside, sharedPhoneIn(outside, cookies));
}

function noPhone(): Shown {
  return {
    title: 'Not a shared phone',
    // Visitors without the cookie have not cached the stylesheet.
    style: dashboardStyle,
    main: html`<p>This phone is no longer shared, so nobody can sign in with a PIN. It was unused for 30 days, or an owner removed it. An owner can add it again.</p>
${withPasskey(undefined)}`,
  };
}

function withPasskey(next: string | undefined): Html {
  return html`<p><a class="plain button" href="${SIGN_IN}?${new URLSearchParams({ passkey: '1', ...(next && { next }) })}">Sign in with a passkey</a></p>`;
}

const PIN = /^\d{6}$/;
const Digits = z.string('must be six digits').check(z.regex(PIN, 'must be six digits'));
export const PinForm = z.object({
  pin: Digits,
  again: z.optional(Digits),
  code: z.optional(
    z.pipe(
      z.string(),
      z.transform((code: string) => code.replace(/\D/g, '')),
    ),
  ),
  next: z.optional(z.string()),
});

/** Asks for a PIN, or for a new PIN after a sign-in code. An unknown user id gets the same page. */
export async function showPin(visit: OpenVisit<'id'>, outside: Outside): Promise<Shown> {
  const phone = await phoneHere(visit, outside);
  if (!phone) return noPhone();
  const { id } = visit.path;
  const on = Object.hasOwn(phone.people, id) ? phone.people[id] : undefined;
  const user = (await peopleOf(outside, phone)).find(({ user_id }) => user_id === id);
  const setsPin = on?.code !== undefined;
  const next = safeNext(visit.refused?.typed.next ?? visit.query.next);
  const submit = setsPin ? 'Set the PIN and sign in' : 'Sign in';
  const facts = { path: '/phone/person/{id}', submit, carries: { next } };
  return {
    title: user?.name ?? 'Sign in',
    main: html`${form(
      visit,
      facts,
      setsPin
        ? [
            digits('code', 'The owner’s code', CODE_DIGITS + 1),
            digits('pin', 'Your new PIN', 6, 'Six digits. Avoid dates, years, patterns and sequences such as 123456.'),
            digits('again', 'The PIN again', 6),
          ]
        : digits('pin', 'PIN', 6),
    )}
<p><a class="plain button" href="${ON_PHONE}?${new URLSearchParams({ next })}">Somebody else</a></p>`,
  };
}

/** Defines a field for digits. A rejected form never shows a PIN again, because the next user may see the page. */
function digits(name: string, label: string, maxLength: number, hint?: string): Field {
  const drawn = field(name, label, { inputMode: 'numeric', maxLength, isRequired: true, ...(hint && { hint }) });
  return (filled) => {
    const { code = '' } = filled.typed;
    const kept = { ...filled, typed: { code } };
    const shown = drawn(kept);
    filled.isFirst = kept.isFirst;
    return shown;
  };
}

export async function signInByPin(visit: OpenVisit<'id', typeof PinForm>, outside: Outside): Promise<Going> {
  const { form, path, cookies, visitor } = visit;
  const { pin, again, code, next } = form;
  if (code !== undefined && again !== pin)
    throw invalidRequest([{ field: 'again', message: 'does not match: type the same PIN twice' }]);
  const proof = sharedPhoneIn(outside, cookies);
  const session = await (code === undefined
    ? signInWithPin(outside, proof, { userId: path.id, pin })
    : choosePin(outside, proof, { userId: path.id, code, pin }));
  await endNotices(visit, outside);
  // Ends any session in this browser, even one that began with a passkey.
  if (visitor) await endSession(outside, visitor.user, visitor.session);
  const { wrongBefore } = session;
  const notice =
    code !== undefined
      ? 'Your PIN is set.'
      : wrongBefore > 0 &&
        `A wrong PIN was entered for you ${counted(wrongBefore, 'time')} before this. If it was not you, tell the owner.`;
  return {
    goTo: safeNext(next),
    ...(notice && { notice }),
    cookies: [
      sessionCookie(outside, session.token),
      sharedPhoneCookie(outside, session.proof),
      activityCookie(outside, session),
      noDeviceCookie(outside),
    ],
  };
}

/** Turns off an earlier user's notifications on a phone that becomes shared. */
async function endNotices({ cookies }: Pick<Visit, 'cookies'>, outside: Outside): Promise<void> {
  const device = deviceIn(outside, cookies);
  if (device) await outside.table.write([removeDevice(device)]);
}

export async function changePerson({ session }: PersonVisit, outside: Outside): Promise<Going> {
  await outside.table.write([sessionRows.remove(session)]);
  return { goTo: ON_PHONE, cookies: [noSessionCookie(outside)] };
}

/** Asks for confirmation before a browser becomes a shared phone. Opening the page does not use up the link. */
export async function showEnrol(visit: OpenVisit<'token'>, outside: Outside): Promise<Shown> {
  const { merchant_id, name } = await requirePhoneLink(outside, visit.path.token);
  const merchant = await merchantRows.find(outside, { merchant_id });
  return {
    title: `Share this phone?`,
    style: dashboardStyle,
    main: html`<p>This browser becomes <b>${name}</b>, a shared phone of <b>${merchant?.name}</b>. Your team will sign in here with a PIN. Anyone signed in now will be signed out.</p>
${form(visit, { path: '/phone/add/{token}', submit: 'Share this phone' })}`,
  };
}

export async function enrol(visit: OpenVisit<'token'>, outside: Outside): Promise<Going> {
  const { visitor, headers, path } = visit;
  const already = await phoneHere(visit, outside);
  if (already)
    throw new PublicError(
      'invalid_request',
      `This browser is already set up as the shared phone ${already.name}. An owner of the shop must remove it first.`,
    );
  const { people } = await requirePhoneLink(outside, path.token);
  const proof = await enrolPhone(outside, path.token, browserName(headers['user-agent']));
  await endNotices(visit, outside);
  if (visitor) await endSession(outside, visitor.user, visitor.session);
  const cookies = [sharedPhoneCookie(outside, proof), noSessionCookie(outside), noDeviceCookie(outside)];
  const [first = '', ...others] = Object.keys(people);
  const goTo = others.length === 0 ? `${ON_PHONE}/person/${first}` : ON_PHONE;
  return { goTo, notice: 'This is now a shared phone.', cookies };
}
