import { beforeEach, expect, test } from 'vitest';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { listMerchants } from '../../../shared/merchants/merchant/merchant.table.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { at, begin, WALLET } from '../../support/wallet-chains.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(beginAgain);

async function beginAgain(): Promise<void> {
  world = await scene({ inMemory: true });
  at(world, 0);
  merchant = await world.createMerchant({ credits: 10 });
  await world.createSender(WALLET.momo_number);
  await begin(world);
}

const MERCHANTS = '/dashboard/operator-money/{id}';
const DEVELOPERS = '/dashboard/developers';
const KEY = `${DEVELOPERS}/keys/{hint}`;
const PHONES = '/dashboard/operator-phones';
const WEBHOOK = `${DEVELOPERS}/webhooks/live`;
const HOOK = 'https://shop.example.com/hook';
const PLACE = { number: '0209999999', network: 'TELECEL', gateway: 'phone', device: 'device-9', sim: '2' };

test.each<[command: string, form: string, fields?: Record<string, string>]>([
  [
    'sender add --number 0209999999 --network telecel --gateway phone --device device-9 --sim 2 --per-hour 60 --owner none',
    `${PHONES}/new`,
    { ...PLACE, per_hour: '60', owner: 'none' },
  ],
  [
    'sender add --number 0241234567 --network mtn --gateway phone --device device-9 --sim 2 --receive-only',
    `${PHONES}/233241234567/place`,
    { network: 'MTN', gateway: 'phone', device: 'device-9', sim: '2', use: 'receive' },
  ],
  ['sender disable --number 0241234567', `${PHONES}/233241234567/disable`],
  ['sender enable --number 0241234567', `${PHONES}/233241234567/enable`],
  ['wallet set --number 0241234567 --canary off', `${PHONES}/wallets/MTN/233241234567/hearing`, { canary: 'off' }],
  ['credits add --merchant {id} --amount 7', `${MERCHANTS}/credits`, { amount: '7' }],
  [`merchant create --name Kofi`, '/dashboard/operator-money/new', { name: 'Kofi' }],
  ['merchant suspend --merchant {id}', `${MERCHANTS}/suspend`],
  ['key set --merchant {id} --hint {hint} --rate 7', `${MERCHANTS}/keys/{hint}/rate`, { rate: '7' }],
  ['key set --merchant {id} --hint {hint} --rate 1000000', `${MERCHANTS}/keys/{hint}/rate`, { rate: '1000000' }],
  [
    'key create --merchant {id} --kind sms --test --scope texts:read,texts:send',
    `${DEVELOPERS}/keys/new/sms`,
    { mode: 'test', 'texts:read': 'on', 'texts:send': 'on' },
  ],
  ['key create --merchant {id} --kind live', `${DEVELOPERS}/keys/new/live`, { mode: 'real' }],
  ['key roll --merchant {id} --hint {hint} --overlap 1h', `${KEY}/roll`, { overlap: '1h' }],
  ['key revoke --merchant {id} --hint {hint}', `${KEY}/revoke`],
  [
    `webhook set --merchant {id} --url ${HOOK} --events charge.success,charge.expired`,
    `${WEBHOOK}/set`,
    { url: HOOK, 'charge.success': 'on', 'charge.expired': 'on' },
  ],
  [`webhook set --merchant {id} --url ${HOOK}`, `${WEBHOOK}/set`, { url: HOOK }],
])('the command writes the same audit entry as the form: %s', async (command, form, fields = {}) => {
  await runAdmin(deploymentOf(world), [...filled(command).split(' '), '--json']);
  const byCommand = await newEntries();
  expect(byCommand).toHaveLength(/ (enable|1000000)\b/.test(command) ? 0 : 1);
  await beginAgain();
  const by = await world.signIn(form.startsWith(DEVELOPERS) ? 'owner' : 'operator', merchant.id);
  expect((await world.visit(filled(form), { by, form: fields })).status).toBeLessThan(400);
  expect(byCommand).toEqual(await newEntries());
});

test('cancelled texts are recorded in the merchant’s audit log', async () => {
  await world.call('sms/send', { key: merchant.smsKey, body: { to: '0201234567', message: 'Ready.' } });
  await runAdmin(deploymentOf(world), filled('merchant cancel-texts --merchant {id}').split(' '));
  await runAdmin(deploymentOf(world), filled('sender owner --number 0241234567 --merchant {id}').split(' '));
  expect(await newEntries()).toMatchObject([
    { action: 'merchant cancel-texts', merchant_id: 'the merchant' },
    { action: 'sender owner', about: WALLET.momo_number, after: { owner: merchant.id } },
  ]);
});

const placed = (device = 'device-9', sim = '2') => [
  ...'--number 0209999999 --network telecel --gateway phone'.split(' '),
  ...['--device', device, '--sim', sim],
];
const ADD = ['sender', 'add', ...placed()];
const OF = ['--merchant', '{id}'];
const [NEW, NEW_MERCHANT] = [`${PHONES}/new`, '/dashboard/operator-money/new'];

test.each<[says: RegExp, command: string[], form: string, fields: Record<string, string>]>([
  [
    /whole number from 1 to 1000000/,
    ['credits', 'add', ...OF, '--amount', '1000001'],
    `${MERCHANTS}/credits`,
    { amount: '1000001' },
  ],
  [/whole number from 1 to 8/, ['sender', 'add', ...placed('device-9', '9')], NEW, { ...PLACE, sim: '9' }],
  [/whole number from 1 to 100000/, [...ADD, '--per-hour', '100001'], NEW, { ...PLACE, per_hour: '100001' }],
  [
    /the device id shown by the gateway/,
    ['sender', 'add', ...placed('device 9')],
    NEW,
    { ...PLACE, device: 'device 9' },
  ],
  [/must not be empty|is missing/, ['merchant', 'create', '--name', ' '], NEW_MERCHANT, { name: ' ' }],
  [/at most 80 characters/, ['merchant', 'create', '--name', 'x'.repeat(81)], NEW_MERCHANT, { name: 'x'.repeat(81) }],
  [
    /at most 60 characters/,
    ['user', 'invite', ...OF, '--name', 'x'.repeat(61)],
    `${MERCHANTS}/invite`,
    { name: 'x'.repeat(61) },
  ],
])('the command fails with the same error as the form: %s', async (says, command, form, fields) => {
  await expect(runAdmin(deploymentOf(world), command.map(filled))).rejects.toThrow(says);
  const by = await world.signIn('operator');
  const answer = await world.visit(filled(form), { by, form: fields });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 400, text: expect.stringMatching(says) });
});

const filled = (text: string) => text.replace('{id}', merchant.id).replace('{hint}', merchant.liveKey.slice(-4));

const ownerOf = (id: string | undefined) => (id === merchant.id ? 'the merchant' : id && 'another merchant');

/** Returns the new audit entries without actors, ids and keys. */
async function newEntries() {
  const month = world.iso().slice(0, 7);
  const ids = (await listMerchants(world.outside)).map(({ merchant_id }) => merchant_id);
  const pages = await Promise.all(
    [...ids, undefined].map((id) => listAudit(world.outside, id, month, { limit: 50, newestFirst: false })),
  );
  return pages
    .flatMap(({ entries }, n) =>
      entries.map(({ at: _at, by: _by, ...entry }) => ({ ...entry, merchant_id: ownerOf(ids[n]) })),
    )
    .filter(({ action }) => !action.startsWith('user '))
    .map((entry) => (entry.action === 'key create' ? { ...entry, about: entry.about?.length } : entry))
    .map(({ after: { new_key, ...after } = {}, ...entry }) => ({ ...entry, after, ...(new_key && { hasNew: true }) }))
    .map((entry) => (entry.about === merchant.liveKey.slice(-4) ? { ...entry, about: 'its key' } : entry));
}
