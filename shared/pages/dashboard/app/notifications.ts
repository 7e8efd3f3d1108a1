import { createECDH } from 'node:crypto';
import { html } from 'hono/html';
import * as z from 'zod/mini';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import {
  changeDevice,
  createDevice,
  type Device,
  devicesOf,
  freeSlot,
  NoticeKind,
  noticeKinds,
  removeDevice,
  type Subscription,
  TEXT_SLOT,
} from '../../../merchants/user/device.table.ts';
import { deviceCookie, deviceIn, newDeviceId } from '../../../merchants/user/device.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { browserName, requireOwnPhone } from '../../../merchants/user/session.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { publicPushKey } from '../../../push/push-key.table.ts';
import { nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { publicUrlProblem } from '../../../runtime/outside/public-url.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest, PublicError } from '../../../runtime/values/errors.ts';
import { parseJson } from '../../../runtime/values/json.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { APP, PUSH_SCRIPT } from '../parts/addresses.ts';
import { emptyState, type Html, pill, section, shownTime } from '../parts/content.ts';
import { choice, field, foldedForm, form, formSection, type Part, tick, ticks } from '../parts/form.ts';
import type { FormEntry, Going, PersonVisit, Shown, Visit } from '../parts/visit.ts';

const KINDS: Readonly<Record<NoticeKind, string>> = {
  paid: 'A customer has paid',
  held: 'A payment needs checking, or a payer is waiting for a code',
  undone: 'A payment was reversed, may have been reversed, or is in doubt',
  wallet: 'A wallet needs your answer',
  credits: 'Credits for texts, or a link’s codes, are running low',
  phone: 'A phone that receives payment texts has gone silent',
  money_out: 'Money has gone out of your wallet',
};
const NAMES: Readonly<Record<NoticeKind, string>> = {
  paid: 'paid',
  held: 'to check',
  undone: 'reversed or in doubt',
  wallet: 'wallets',
  credits: 'credits',
  phone: 'silent phones',
  money_out: 'money going out',
};

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

export const ChoicesForm = z.object({
  ...ticks([...NoticeKind.options, 'details']),
  evening: z.optional(z.enum(['', ...HOURS], 'must be one of the options')),
});
type Choices = z.infer<typeof ChoicesForm>;

export async function showNotifications(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { user } = visit;
  if (user.merchant_id === undefined)
    return {
      title: 'Notifications',
      main: emptyState(
        'For people who work at a shop',
        'The people who run the service are alerted by e-mail or pager.',
      ),
    };
  const devices = await devicesOf(outside, user);
  const here = ownDevice(visit, outside, devices);
  const others = devices.filter((device) => device !== here && device.subscription);
  const texted = devices.find(({ slot }) => slot === TEXT_SLOT);
  return {
    title: 'Notifications',
    main: html`${section(
      'This device',
      here
        ? deviceCard(visit, here)
        : html`<p>Get notified here when something happens in your shop, even when the dashboard is closed.</p>
<p><a class="button" href="${APP}/on">Notify me here</a></p>`,
    )}
${
  others.length > 0 &&
  section(
    'Your other devices',
    others.map((device) => deviceCard(visit, device)),
  )
}
${user.role === 'owner' && section('If you cannot get notifications', texted ? deviceCard(visit, texted) : textOffer())}
${section(
  'As an app',
  html`<p>Open your browser’s menu and choose <b>Install</b> or <b>Add to home screen</b>. The icon then shows how much is waiting for you. An iPhone can only notify you through the app.</p>`,
)}`,
  };
}

function ownDevice(
  { cookies }: Pick<Visit, 'cookies'>,
  outside: Outside,
  devices: readonly Device[],
): Device | undefined {
  const named = deviceIn(outside, cookies);
  return devices.find(({ device_id }) => device_id === named?.device_id);
}

function deviceCard(visit: PersonVisit, device: Device): Html {
  const { slot, browser, to, texts_per_day = 0, kinds, shows_details, failing_since, evening_hour } = device;
  const names = kinds.filter((kind) => may(visit.user, noticeKinds[kind])).map((kind) => NAMES[kind]);
  const name = to === undefined ? browser : html`<span class="number">${shownNumber(to)}</span>`;
  const what = names.length > 0 ? `Notified of: ${names.join(', ')}` : 'No notifications chosen';
  const most = to === undefined ? '' : ` At most ${counted(texts_per_day, 'text')} a day, at one credit each.`;
  return html`<div class="wallet">
<p class="head-line"><b>${name}</b>${failing_since ? pill('look', 'Not reached') : pill('good', 'On')}</p>
<p class="hint">${what}; ${shows_details && to === undefined ? 'with' : 'without'} amounts and names.${most}${evening_hour !== undefined && ` The daily summary is sent at ${evening_hour}:00.`}${failing_since && ` Nothing has been delivered since ${shownTime(failing_since)}.`}</p>
${foldedForm(visit, 'Change', { path: '/device/{slot}', ids: { slot }, submit: 'Save' }, choiceFields(visit.user, device))}
${form(visit, { path: '/device/{slot}/end', ids: { slot }, submit: 'Stop', isSmall: true })}
${to !== undefined && html`<p><a href="${APP}/text">Number and daily limit</a></p>`}
</div>`;
}

function textOffer(): Html {
  return html`<p>If your phone’s browser cannot show notifications, we can text you instead. Each text costs your shop one credit.</p>
<p><a class="button" href="${APP}/text">Text me</a></p>`;
}

/** Returns the checkboxes for kinds of notification. SMS notifications never include details. */
function choiceFields(user: User, device?: Pick<Device, 'kinds' | 'shows_details' | 'to' | 'evening_hour'>): Part[] {
  return [
    ...NoticeKind.options
      .filter((kind) => may(user, noticeKinds[kind]))
      .map((kind) => {
        const isOn = device ? device.kinds.includes(kind) : kind !== 'money_out';
        return tick(kind, KINDS[kind], { value: isOn ? 'on' : '' });
      }),
    ...(device?.to === undefined
      ? [
          tick('details', 'Show amounts and names, even on the lock screen', {
            value: device?.shows_details ? 'on' : '',
          }),
          ...(user.role === 'owner' ? [eveningField(device?.evening_hour)] : []),
        ]
      : []),
  ];
}

function eveningField(hour: number | undefined): Part {
  const options = [['', 'Never'], ...HOURS.map((one) => [one, `${one.padStart(2, '0')}:00`] as const)] as const;
  return choice('evening', 'Send me the daily summary at', { value: hour === undefined ? '' : String(hour), options });
}

function chosenEvening(user: User, { evening = '' }: Choices): Pick<Device, 'evening_hour'> {
  return { evening_hour: evening === '' || user.role !== 'owner' ? undefined : Number(evening) };
}

function chosen({ details, ...form }: Omit<Choices, 'evening'>): Pick<Device, 'kinds' | 'shows_details'> {
  return { kinds: NoticeKind.options.filter((kind) => form[kind] === 'on'), shows_details: details === 'on' };
}

export const OnForm = z.extend(ChoicesForm, {
  subscription: z.string('could not be created: this needs JavaScript').check(z.maxLength(4_000)),
});

export async function showOn(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const publicKey = await publicPushKey(outside);
  const fields = choiceFields(visit.user);
  return {
    title: 'Notify me here',
    script: PUSH_SCRIPT,
    main: html`<p>Choose what this phone or computer notifies you about. Others may read notifications on the lock screen. Amounts and names appear only if you tick the box.</p>
${formSection(visit, 'What', { path: '/on', submit: 'Switch on' }, [
  ...fields,
  html`<input type="hidden" name="subscription" data-subscription="${publicKey}">
<p class="fault" role="alert" data-push-fault hidden></p>
<noscript><p class="fault">Notifications need JavaScript. Turn it on for this page.</p></noscript>`,
])}`,
  };
}

/** Turns on this person's notifications in this browser. They replace those of any previous person. */
export async function switchOn(visit: PersonVisit<never, typeof OnForm>, outside: Outside): Promise<Going> {
  const { user, session, cookies, headers, commit } = visit;
  const merchant_id = merchantOf(user);
  requireOwnPhone(session);
  const { subscription: written, ...form } = visit.form;
  const subscription = readSubscription(written, outside);
  const settings = {
    subscription,
    session_hash: session.hash,
    credential_id: session.credential_id,
    ...chosen(form),
    ...chosenEvening(user, form),
  };
  const devices = await devicesOf(outside, user);
  const named = deviceIn(outside, cookies);
  const known = devices.find(
    (one) => one.device_id === named?.device_id || one.subscription?.endpoint === subscription.endpoint,
  );
  const device: Device = known ?? {
    merchant_id,
    user_id: user.user_id,
    slot: freeSlot(devices),
    device_id: newDeviceId(outside),
    browser: browserName(headers['user-agent']),
    ...settings,
    created_at: nowIso(outside),
  };
  const writes = [
    known ? changeDevice(known, { ...settings, failing_since: undefined }) : createDevice(device),
    ...(named && named.user_id !== user.user_id ? [removeDevice(named)] : []),
  ];
  const going = {
    goTo: APP,
    notice: 'You will now get notifications on this device.',
    cookies: [deviceCookie(outside, device)],
  };
  await commit(writes, going, entryOf(device, known ? 'device set' : 'device add'));
  return going;
}

const Written = z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) });

function readSubscription(written: string, outside: Outside): Subscription {
  const subscription = parseJson(Written, written);
  const refuse = (message: string) => invalidRequest([{ field: 'subscription', message }]);
  if (!subscription) throw refuse('could not be read');
  const { endpoint, keys } = subscription;
  const problem = publicUrlProblem(endpoint, outside.allowsThisMachine);
  if (problem) throw refuse(`has an invalid push service address: it ${problem}`);
  const [point, auth] = [keys.p256dh, keys.auth].map((key) => Buffer.from(key, 'base64url'));
  if (!point || auth?.length !== 16 || !isPoint(point)) throw refuse('has keys that do not match');
  // Encode the key again, because this decoder accepts characters that push services reject.
  return { endpoint, p256dh: point.toString('base64url'), auth: auth.toString('base64url') };
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

const MOST_TEXTS = [1, 3, 5, 10, 20];

export const TextForm = z.object({
  ...ticks(NoticeKind.options),
  to: PhoneNumber,
  texts_per_day: z.enum(['1', '3', '5', '10', '20'], 'must be one of the options'),
});

export async function showText(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const known = await textedDevice(visit.user, outside);
  const { kinds = ['held', 'undone', 'wallet', 'phone'] as const, to, texts_per_day = 5 } = known ?? {};
  const fields = choiceFields(visit.user, { kinds: [...kinds], shows_details: false, to: '' });
  return {
    title: 'Text me',
    main: html`<p>Use this if your phone’s browser cannot show notifications. Each text costs your shop one credit. Texts may come from any of your shop’s numbers.</p>
${formSection(visit, 'Number and notifications', { path: '/text', submit: 'Text this number' }, [
  field('to', 'Your number', { type: 'tel', inputMode: 'tel', isRequired: true, value: to && shownNumber(to) }),
  choice('texts_per_day', 'Maximum texts a day', {
    value: String(texts_per_day),
    options: MOST_TEXTS.map((most) => [String(most), counted(most, 'text')]),
  }),
  ...fields,
])}`,
  };
}

async function textedDevice(user: User, outside: Outside): Promise<Device | undefined> {
  return (await devicesOf(outside, user)).find(({ slot }) => slot === TEXT_SLOT);
}

export async function switchTextOn(visit: PersonVisit<never, typeof TextForm>, outside: Outside): Promise<Going> {
  const { user, session, commit } = visit;
  const { to, texts_per_day: most, ...form } = visit.form;
  if (user.role !== 'owner') throw new PublicError('invalid_request', 'Only owners can get notifications by text.');
  requireOwnPhone(session);
  const known = await textedDevice(user, outside);
  const texts = { to, texts_per_day: Number(most), credential_id: session.credential_id, ...chosen(form) };
  const device: Device = known ?? {
    merchant_id: merchantOf(user),
    user_id: user.user_id,
    slot: TEXT_SLOT,
    device_id: newDeviceId(outside),
    ...texts,
    created_at: nowIso(outside),
  };
  const going = { goTo: APP, notice: `${shownNumber(to)} will get texts from now on.` };
  const write = known ? changeDevice(known, texts) : createDevice(device);
  return commit([write], going, { ...entryOf(device, 'device text'), after: { texts_per_day: Number(most) } });
}

export async function changeChoices(visit: PersonVisit<'slot', typeof ChoicesForm>, outside: Outside): Promise<Going> {
  const device = await requireDevice(visit, outside);
  const evening = device.to === undefined ? chosenEvening(visit.user, visit.form) : {};
  return visit.commit([changeDevice(device, { ...chosen(visit.form), ...evening })], { goTo: APP, notice: 'Saved.' });
}

export async function endDevice(visit: PersonVisit<'slot'>, outside: Outside): Promise<Going> {
  const device = await requireDevice(visit, outside);
  const going = { goTo: APP, notice: 'That device no longer gets notifications.' };
  return visit.commit([removeDevice(device)], going, entryOf(device, 'device remove'));
}

async function requireDevice(
  { user, path }: Pick<PersonVisit<'slot'>, 'user' | 'path'>,
  outside: Outside,
): Promise<Device> {
  const device = (await devicesOf(outside, user)).find(({ slot }) => slot === path.slot);
  if (!device) throw new NoSuch('device', 'This device does not exist.');
  return device;
}

function entryOf({ merchant_id, browser }: Device, action: string): FormEntry {
  return { merchant_id, action, ...(browser && { about: browser }) };
}

function merchantOf({ merchant_id }: User): string {
  if (merchant_id !== undefined) return merchant_id;
  throw new PublicError('invalid_request', 'Only people who work at a shop can get notifications.');
}
