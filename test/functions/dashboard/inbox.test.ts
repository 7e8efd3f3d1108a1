import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { takeAnswer } from '../../../shared/texts/inbox/receive-answer.ts';
import { expectWords } from '../../support/answers.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const TEXTS = '/dashboard/texts';
const LINE = '+233241234567';
const KOFI = '+233551112223';
const THREAD = `/inbox/${KOFI.slice(1)}`;
const XSS = '<script>alert(1)</script>';

let world: Scene;
let merchant: Merchant;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 10 });
  await world.createSender(LINE);
  await merchant.change({ answers: true });
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = owner) => by.visit(`${TEXTS}${path}`);
const reply = (message: string, by = owner, once?: string) =>
  by.visit(`${TEXTS}${THREAD}/reply`, { form: { message, ...(once && { once }) } });

describe('the answers', () => {
  test('are listed by person, and say that a sender can be forged', async () => {
    await writes('Is it still there?');
    await writes(`And ${XSS}?`);
    const { text } = await open('/inbox');
    expectWords(text, [`href="${TEXTS}${THREAD}"`, 'can be forged', '1 more']);
    expect(text).not.toContain(XSS);
    const thread = (await open(THREAD)).text;
    expectWords(thread, ['Is it still there?', 'can be forged']);
    expect(thread).not.toContain(XSS);
  });

  test('are asked for where there are none yet', async () => {
    await merchant.change({ answers: false });
    world.clock.nowMs += 3_000;
    expect((await open('/inbox')).text).toContain('/dashboard/settings/answers');
  });

  test('of another merchant’s are not found', async () => {
    await writes('Is it still there?');
    const other = await world.signIn('owner', (await world.createMerchant()).id);
    expect((await open(THREAD, other)).status).toBe(404);
    expect((await open('/inbox', other)).text).not.toContain('Is it still there?');
    expect((await reply('Yes', other)).status).toBe(404);
    expect((await open('/inbox/233550000000')).status).toBe(404);
    expect((await open('/inbox/nobody')).status).toBe(404);
  });
});

describe('a reply', () => {
  test('leaves from the number that the person wrote to, for a credit, and stands in the conversation', async () => {
    await world.createSender('+233201234567', 'device-2');
    await writes('Is it still there?');
    const { headers } = await reply('Yes, until six');
    expect(headers.location).toBe(`${TEXTS}${THREAD}`);
    expect(await merchant.sends()).toMatchObject([{ from: LINE, to: [KOFI], message: 'Yes, until six' }]);
    expect(await merchant.balance()).toBe(9);
    expect((await open(THREAD)).text).toContain('Yes, until six');
  });

  test('that is tapped twice is one text', async () => {
    await writes('Is it still there?');
    for (let taps = 0; taps < 2; taps++) await reply('Yes', owner, 'real.one-page');
    expect(await merchant.sends()).toHaveLength(1);
    expect((await world.scan()).filter(({ sk }) => String(sk).startsWith('REPLY#'))).toHaveLength(1);
  });

  test('is for those who may send', async () => {
    await writes('Is it still there?');
    const viewer = await merchant.signIn('viewer');
    expect((await open(THREAD, viewer)).text).not.toContain('<textarea');
    expect((await reply('Yes', viewer)).status).toBe(403);
  });
});

describe('who has opted out', () => {
  test('is listed, is in a file, and is marked in the conversation', async () => {
    await writes('Stop');
    expect((await open('/opt-outs')).text).toContain('055 111 2223');
    expect((await open('/opt-outs/file.csv')).text).toContain('"055 111 2223","STOP"');
    expect((await open(THREAD)).text).toContain('gets no marketing');
    world.clock.nowMs += 1_000;
    await writes('Start');
    expect((await open('/opt-outs')).text).toContain('Nobody wrote STOP');
    expect((await open(THREAD)).text).not.toContain('gets no marketing');
  });

  test('gets no marketing that is written here either', async () => {
    await writes('Stop');
    const form = { to: '0551112223', message: 'Half price', purpose: 'marketing' };
    const refused = await owner.visit(`${TEXTS}/send`, { form });
    expect(refused.text).toContain('wrote STOP');
    expect(await merchant.sends()).toEqual([]);
    const { status } = await owner.visit(`${TEXTS}/send`, { form: { ...form, purpose: '' } });
    expect(status).toBe(303);
  });
});

describe('the setting', () => {
  const set = (form: Record<string, string>) => owner.visit('/dashboard/settings/answers', { form });

  test('is off until somebody sets it, with words of the shop’s own', async () => {
    await set({ answers: 'on', stop_words: 'gyae, no more' });
    const stored = { answers: true, stop_words: ['GYAE', 'NO MORE'] };
    expect(await merchantRows.find(world.outside, { merchant_id: merchant.id })).toMatchObject(stored);
    await set({});
    const after = await merchantRows.find(world.outside, { merchant_id: merchant.id });
    expect([after?.answers, after?.stop_words]).toEqual([undefined, undefined]);
  });

  test.each(['START', 'x'.repeat(21), '12', 'a,b,c,d,e,f,g,h,i,j,k'])('refuses the words %s', async (stop_words) => {
    const { text } = await set({ stop_words });
    expect(text).toContain('aria-invalid');
    expect(text).toMatch(
      /must be at most 10 words|must be words of at most 20 letters: not |must not have START, which/,
    );
  });
});

let events = 0;

/** A person writes to the shop's own number. */
async function writes(words: string): Promise<void> {
  world.clock.nowMs += 1_000;
  await takeAnswer(world.outside, {
    to: LINE,
    line: LINE,
    owner: merchant.id,
    number: KOFI,
    words,
    receivedMs: world.clock.nowMs,
    eventId: String(++events),
  });
}
