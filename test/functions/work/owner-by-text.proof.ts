import { beforeEach, describe, expect, test } from 'vitest';
import { handler as relay } from '../../../functions/work/relay.ts';
import { changeRole } from '../../../shared/merchants/user/user.table.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { replyWords } from '../../../shared/push/answer-owner.ts';
import { questionWords } from '../../../shared/push/ask-by-text.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { isWanted } from '../../../shared/runtime/triggers/stream.ts';
import {
  MAX_TRIES_OF_QUESTION,
  MAX_WRONG_OF_NUMBER,
  noteOutcome,
  type Outcome,
  questionRows,
} from '../../../shared/texts/question/question.table.ts';
import { mayHoldCode, readAnswer } from '../../../shared/texts/question/read-answer.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { headOf } from '../../../shared/wallets/chain/chain.ts';
import { keepUnclearBalance } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { refuse } from '../../support/disturb.ts';
import {
  type Asked,
  answered,
  arrives,
  askedShop,
  createLine,
  lastQuestion,
  pass,
  questions,
  run,
  switchAnswersOn,
  told,
  write,
} from '../../support/owner-by-text.ts';
import { work } from '../../support/pushed.ts';
import { placeNumber } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { callWorker, databaseOf } from '../../support/world.ts';

// A wallet's owner answers questions by SMS. The reply code authenticates the answer.

const LINE = '+233247770001';
const OTHER_LINE = '+233247770002';
const OWNER = '+233551112223';
const STRANGER = '+233551112224';

let world: Scene;
let asked: Asked;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-04T10:00:00.000Z');
  await createLine(world, LINE);
  asked = await askedShop(world, { line: LINE, number: OWNER });
});

describe('a question about a bank transfer', () => {
  test('contains a code but neither the amount nor the balance', async () => {
    const { text, code } = await askAboutBank();
    expect(text).toBe(
      `Ama Stores: did you send money from MoMo ${asked.shop.number.replace('+233', '0')} to your bank just now? Answer YES ${code} or NO ${code} within 10 minutes. Do not show the code to anyone.`,
    );
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    // The code is stored in one row, until the text is sent.
    const [send] = (await world.rows('SEND')).filter(({ has_code }) => has_code).slice(-1);
    expect(send?.message).toContain('YES ********');
    const [kept] = (await world.rows('CODE_TEXT')).filter(({ pk }) => pk === `CODE_TEXT#${send?.send_id}`);
    expect(kept?.expires_at_epoch_seconds).toBe(Math.floor(world.clock.nowMs / 1000) + 10 * 60);
    const everything = (await world.scan()).filter(({ sk }) => sk !== 'CODE_TEXT');
    expect(JSON.stringify(everything)).not.toContain(code);
  });

  test.each<[string, string, answer: (code: string) => string]>([
    ['yes', 'wallet confirm', (code) => `YES ${code}`],
    [
      'yes and a dash in the code',
      'wallet confirm',
      (code) => `yes, ${code.slice(0, 4)}-${code.slice(4).toLowerCase()}.`,
    ],
    ['no', 'wallet deny', (code) => `${code} no`],
  ])('can be answered with %s', async (_, action, answer) => {
    const { code } = await askAboutBank();
    await write(world, asked, answer(code));
    expect(await answered(world, asked.shop)).toMatchObject([{ action, by: asked.owner.user.user_id }]);
    const chain = await asked.shop.chain();
    if (action === 'wallet deny') expect(chain).toMatchObject({ pushes: [] });
    // A yes by SMS counts like a yes on the dashboard.
    else
      expect({ balance: headOf(chain).balance, tapped_ms: chain.tapped_ms }).toEqual({
        balance: asked.book.pesewas,
        tapped_ms: expect.any(Number),
      });
    expect(await told(world, asked.shop)).toEqual([
      'Ama Stores: Thank you. Your answer about the wallet was recorded.',
    ]);
  });

  test('can be answered with the balance instead of a yes', async () => {
    const { code } = await askAboutBank();
    await write(world, asked, `GHS ${(asked.book.pesewas / 100).toFixed(2)} ${code}`);
    const chain = await asked.shop.chain();
    expect({ balance: headOf(chain).balance, tapped_ms: chain.tapped_ms }).toEqual({
      balance: asked.book.pesewas,
      tapped_ms: undefined,
    });
    // The owner's reply is deleted after processing.
    expect((await question())?.word).toBeUndefined();
  });

  test('requires the balance if a yes is not enough', async () => {
    await asked.shop.arrive(asked.book.bankText(777.77));
    const { text, code } = await askAboutBank();
    expect(text).toContain(`such as 12.50 ${code}`);
    expect(text).not.toMatch(/YES|NO /);
    await write(world, asked, `YES ${code}`);
    expect(await answered(world, asked.shop)).toEqual([]);
    expect(await told(world, asked.shop)).toEqual([
      'Ama Stores: Your answer does not match, so nothing was changed. Answer under Wallets in the dashboard.',
    ]);
  });

  test('changes nothing if the owner replies with a balance that no text reports', async () => {
    const { code } = await askAboutBank();
    const before = await asked.shop.chain();
    await write(world, asked, `1.23 ${code}`);
    expect(await asked.shop.chain()).toEqual(before);
    const [reply = ''] = await told(world, asked.shop);
    expect(reply).toContain('nothing was changed');
    expect(reply).not.toContain('1.23');
  });
});

describe('texts that lead to a different balance', () => {
  let code: string;
  beforeEach(async () => {
    asked.book.paid(50);
    for (const text of [asked.book.paid(20), asked.book.paid(30)]) {
      await asked.shop.arrive(text);
      world.clock.nowMs += 60_000;
    }
    for (let minutes = 0; minutes < 14; minutes++) await pass(world, 1);
    const { text, code: said } = await lastQuestion(world, asked.shop);
    expect(text).toContain('Reply with its balance and the code');
    code = said;
  });

  test('are confirmed if the owner enters that balance', async () => {
    await write(world, asked, `${asked.book.pesewas / 100} ${code}`);
    expect(headOf(await asked.shop.chain()).balance).toBe(asked.book.pesewas);
    expect(await answered(world, asked.shop)).toMatchObject([{ action: 'wallet confirm' }]);
  });

  // The question does not contain the balance.
  test.each(['YES', 'NO'])('are not confirmed by the reply %s', async (word) => {
    const before = await asked.shop.chain();
    await write(world, asked, `${word} ${code}`);
    expect(await asked.shop.chain()).toEqual(before);
    expect(await answered(world, asked.shop)).toEqual([]);
  });
});

describe('the owner’s SMS reply', () => {
  let code: string;
  beforeEach(async () => {
    ({ code } = await askAboutBank());
  });

  const nothing = async () => {
    expect(await answered(world, asked.shop)).toEqual([]);
    expect(await asked.shop.chain()).toMatchObject({ pushes: [expect.anything()] });
  };

  test('is rejected if its code is wrong', async () => {
    for (let n = 0; n < MAX_TRIES_OF_QUESTION; n++) await write(world, asked, `NO ${wrong(code, n)}`);
    await write(world, asked, `NO ${code}`);
    await nothing();
    // Wrong codes get no response.
    expect(await told(world, asked.shop)).toEqual([]);
  });

  test('is rejected after many simultaneous guesses', async () => {
    const guesses = [0, 1, 2, 3, 4].map((n) => `NO ${wrong(code, n)}`);
    await Promise.all(guesses.map((text) => arrives(world, asked, text)));
    await write(world, asked, `NO ${code}`);
    await nothing();
    expect((await question())?.tries).toBe(MAX_TRIES_OF_QUESTION);
  });

  test('is accepted after the phone has resent answers to earlier questions', async () => {
    const receivedAt = world.iso(-60 * 60_000);
    for (let n = 0; n < MAX_TRIES_OF_QUESTION; n++) await write(world, asked, `YES ${wrong(code, n)}`, { receivedAt });
    expect(await question()).toMatchObject({ tries: 0 });
    await write(world, asked, `YES ${code}`);
    expect(await question()).toMatchObject({ outcome: 'taken' });
  });

  test('is rejected after three guesses that share an event id', async () => {
    for (let n = 0; n < MAX_TRIES_OF_QUESTION; n++) {
      await arrives(world, asked, `NO ${wrong(code, n)}`, { eventId: 'event-7' });
    }
    await write(world, asked, `NO ${code}`, { eventId: 'event-7' });
    await nothing();
  });

  test.each<[string, how: () => Partial<Asked>]>([
    ['from another phone number', () => ({ number: STRANGER })],
    ['to another number of the same phone', () => ({ line: OTHER_LINE })],
    ['to another number of another phone', () => ({ line: asked.shop.number })],
  ])('is rejected if it is sent %s', async (_, how) => {
    await world.createSender(OTHER_LINE);
    await write(world, { ...asked, ...how() }, `NO ${code}`, { device: how().line ? 'device-1' : 'device-2' });
    await nothing();
  });

  test('is rejected after ten minutes', async () => {
    world.clock.nowMs += 10 * 60_000;
    await write(world, asked, `NO ${code}`);
    await write(world, asked, `NO ${code}`);
    await nothing();
    expect(await told(world, asked.shop)).toEqual([
      'Ama Stores: That code is no longer valid, so nothing was changed. Answer under Wallets in the dashboard.',
    ]);
  });

  test('is ignored if the owner has already replied', async () => {
    await write(world, asked, `YES ${code}`);
    const chain = await asked.shop.chain();
    await write(world, asked, `NO ${code}`);
    await write(world, asked, `YES ${code}`);
    expect(await asked.shop.chain()).toEqual(chain);
    expect(await answered(world, asked.shop)).toHaveLength(1);
    expect(await told(world, asked.shop)).toHaveLength(1);
  });

  test('is accepted once if two replies arrive at the same time', async () => {
    await Promise.all([arrives(world, asked, `YES ${code}`), arrives(world, asked, `NO ${code}`)]);
    const kept = databaseOf(world)
      .records()
      .flatMap(({ dynamodb }) => dynamodb?.NewImage?.word?.S ?? []);
    expect(kept.slice(1)).toHaveLength(1);
    await run(world);
    expect(await answered(world, asked.shop)).toHaveLength(1);
    expect(await told(world, asked.shop)).toHaveLength(1);
  });

  test('is rejected if its code belongs to a different question or shop', async () => {
    world.clock.nowMs += 11 * 60_000;
    await sendToBank(100);
    const other = await askedShop(world, { line: LINE, number: STRANGER });
    await other.shop.arrive(other.book.sentToBank(5));
    await pass(world, 0);
    const [theirs, mine] = [await lastQuestion(world, other.shop), await lastQuestion(world, asked.shop)];
    expect(new Set([code, theirs.code, mine.code]).size).toBe(3);
    await write(world, asked, `NO ${code}`);
    await write(world, asked, `NO ${theirs.code}`);
    expect(await answered(world, asked.shop)).toEqual([]);
    await write(world, { ...asked, number: STRANGER }, `NO ${mine.code}`);
    expect([...(await answered(world, asked.shop)), ...(await answered(world, other.shop))]).toEqual([]);
  });

  test.each<[string, meanwhile: () => Promise<unknown>]>([
    [
      'if its sender is no longer an owner',
      async () => {
        await asked.shop.signIn('owner');
        await world.outside.table.write(changeRole(asked.owner.user, 'manager'));
      },
    ],
    [
      'if the owner has since removed their number',
      () => asked.owner.visit('/dashboard/app/device/TEXT/end', { form: {} }),
    ],
    ['if it is processed an hour late', () => later(60, 1_000)],
    ['if another shop has since started to use the wallet', () => world.createShop({ number: asked.shop.number })],
  ])('is rejected %s', async (_, meanwhile) => {
    await arrives(world, asked, `NO ${code}`);
    await meanwhile();
    await run(world);
    await nothing();
  });
});

describe('an SMS from the owner', () => {
  test.each([
    ['the correct reply', (code: string) => `YES ${code}`],
    ['a wrong code', (code: string) => `NO ${wrong(code, 0)}`],
    [
      'a code within a sentence',
      (code: string) => `I think it was yes, ${code.slice(0, 4)} ${code.slice(4)}, thank you`,
    ],
  ])('is hidden from the inbox, events and logs if it contains %s', async (_, words) => {
    await asked.shop.change({ answers: true });
    const { code } = await askAboutBank();
    // The shop wrote last, so the owner's next text would normally be an answer to the shop.
    await lastTextLeaves();
    await write(world, asked, words(code));
    expect((await world.scan()).filter(({ sk }) => String(sk).startsWith('ANSWER#'))).toEqual([]);
    const kept = (await world.scan()).filter(({ sk }) => sk !== 'CODE_TEXT');
    for (const secret of [code, code.slice(4)]) expect(JSON.stringify(kept)).not.toContain(`"${secret}`);
    expect(JSON.stringify([world.logged, world.noted])).not.toContain(code);
  });

  test('goes to the shop’s inbox as usual a day after the question', async () => {
    await asked.shop.giveSender(LINE);
    world.clock.nowMs += 3_000;
    await asked.shop.change({ answers: true });
    await sendToBank(1_200);
    await lastTextLeaves();
    await write(world, asked, 'See you on 12.3. at 8');
    world.clock.nowMs += 24 * 60 * 60_000;
    await write(world, asked, 'See you on 13.3. at 8');
    const kept = (await world.scan()).filter(({ sk }) => String(sk).startsWith('ANSWER#'));
    expect(kept.map(({ message }) => message)).toEqual(['See you on 13.3. at 8']);
  });
});

describe('the reply code in a question', () => {
  test('is sent to the owner from the number that receives the reply', async () => {
    const { code } = await askAboutBank();
    await lastTextLeaves();
    const handed = JSON.stringify(world.fetched.at(-1)?.body);
    expect(handed).toContain(`YES ${code}`);
    expect(handed).toContain(OWNER);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['shared with another shop', () => world.createShop({ number: LINE })],
    [
      'that also has a number used only by another shop',
      async () => {
        const { device_id } = (await listSenders(world.outside)).find(({ number }) => number === LINE) ?? {};
        await placeNumber(world.outside, OTHER_LINE, 'MTN', device_id);
        await (await world.createShop()).giveSender(OTHER_LINE);
      },
    ],
  ])('is omitted if the question would be sent from a phone %s', async (_, shares) => {
    await shares();
    await sendToBank(1_200);
    expect(await questions(world, asked.shop)).toHaveLength(1);
    expect(await told(world, asked.shop)).toEqual([expect.stringContaining('A wallet needs your answer')]);
  });

  test('is sent in one question at a time', async () => {
    await sendToBank(1_200);
    const before = await question();
    world.clock.nowMs += 60_000;
    await ask(asked);
    expect(await question()).toEqual(before);
    expect(await told(world, asked.shop)).toEqual([expect.stringContaining('A wallet needs your answer')]);
  });

  test('is not sent after nine wrong codes in a day', async () => {
    for (let n = 0; n < MAX_WRONG_OF_NUMBER / MAX_TRIES_OF_QUESTION; n++) {
      await ask(asked);
      const { code } = await lastQuestion(world, asked.shop);
      for (let tries = 0; tries < 4; tries++) await write(world, asked, `NO ${wrong(code, tries)}`);
      // The third wrong code ends the question early, so a new question may be sent.
      world.clock.nowMs += 60_000;
    }
    expect(await question()).toMatchObject({ wrong: MAX_WRONG_OF_NUMBER });
    const many = (await questions(world, asked.shop)).length;
    await ask(asked);
    expect(await questions(world, asked.shop)).toHaveLength(many);
    world.clock.nowMs += 24 * 60 * 60_000;
    await ask(asked);
    expect(await questions(world, asked.shop)).toHaveLength(many + 1);
  });

  test('resets the count of wrong codes when it is used', async () => {
    const { code } = await askAboutBank();
    await write(world, asked, `YES ${wrong(code, 1)}`);
    expect(await question()).toMatchObject({ wrong: 1 });
    await write(world, asked, `YES ${code}`);
    expect(await question()).toMatchObject({ wrong: 0, outcome: 'taken' });
  });

  test('costs one credit despite repeated jobs', async () => {
    await switchAnswersOn(world, asked, { texts_per_day: '3' });
    const before = (await questions(world, asked.shop)).length;
    const credits = await asked.shop.balance();
    for (let n = 0; n < 4; n++) {
      await ask(asked);
      world.clock.nowMs += 11 * 60_000;
    }
    // The first of the three questions verified the number.
    expect((await questions(world, asked.shop)).length - before).toBe(2);
    expect(credits - (await asked.shop.balance())).toBe(2);
  });
});

describe('a reply by SMS', () => {
  test('is accepted only from an owner’s verified number', async () => {
    await switchAnswersOn(world, asked, { answers: '' });
    await sendToBank(1_200);
    expect(await questions(world, asked.shop)).toHaveLength(1);
    await switchAnswersOn(world, { ...asked, number: STRANGER });
    const page = async () => (await asked.owner.visit('/dashboard/app')).text;
    expect(await page()).toContain('This phone cannot answer yet');
    await ask(asked);
    expect(await questions(world, asked.shop)).toHaveLength(2);
    const { code } = await lastQuestion(world, asked.shop);
    // A reply from the previous number does not verify the new one.
    await write(world, asked, `YES ${code}`);
    expect(await page()).toContain('This phone cannot answer yet');
    await write(world, { ...asked, number: STRANGER }, `YES ${code}`);
    expect(await page()).toContain('You can answer questions about your wallets from this phone');
  });

  test('does not override an earlier answer on the dashboard', async () => {
    const { code } = await askAboutBank();
    const path = `/dashboard/today/balance/MTN/${asked.shop.number.slice(1)}`;
    const form = { balance: String(asked.book.pesewas / 100) };
    expect((await asked.owner.visit(`${path}/deny`, { form })).status).toBe(303);
    const chain = await asked.shop.chain();
    await write(world, asked, `YES ${code}`);
    expect(await asked.shop.chain()).toEqual(chain);
    expect((await told(world, asked.shop)).at(-1)).toContain('nothing was changed');
  });
});

test('a reply is confirmed only once, even if its worker crashes halfway', async () => {
  await answer();
  const usual = world.dynamoDb;
  let writes = 0;
  world.dynamoDb = async (request, send) => {
    if (request.command === 'TransactWriteItems' && ++writes === 2) throw new Error('crashed');
    await send();
  };
  const job = await settleJob();
  expect((await world.work('settle-receipt', [job])).batchItemFailures).toHaveLength(1);
  world.dynamoDb = usual;
  for (let times = 0; times < 2; times++) await world.work('settle-receipt', [job], 2);
  await run(world);
  expect(headOf(await asked.shop.chain()).balance).toBe(asked.book.pesewas);
  expect(await told(world, asked.shop)).toHaveLength(1);
});

describe('the SMS with the outcome', () => {
  const noCredit = async () => asked.shop.topUp(-(await asked.shop.balance()));
  const lineOfAnother = async () => {
    await (await world.createShop()).giveSender(LINE);
    world.clock.nowMs += 3_000;
  };
  const nextQuestion = async () => {
    await noteUnclear(asked);
    await work(world, await world.queuedNotices('wallet'));
  };

  test.each<[string, number, () => Promise<unknown> | undefined, code?: string]>([
    ['is sent within an hour', 1, () => later(59)],
    ['is not sent after an hour', 0, () => later(61)],
    ['is not sent to a suspended shop', 0, () => asked.shop.suspend()],
    ['is not sent if the shop has no credits', 0, noCredit, 'insufficient_credits'],
    ['is not sent if its number now belongs to another shop', 0, lineOfAnother, 'invalid_request'],
    ['is not sent after the next question', 0, nextQuestion],
  ])('%s', async (_, times, meanwhile, code) => {
    await answer();
    await world.work('settle-receipt', [await settleJob()]);
    await meanwhile();
    await run(world);
    const replies = (await world.rows('SEND')).filter(({ message }) => String(message).includes('Your answer about'));
    expect(replies.map(({ to, from }) => [to, from])).toEqual(Array.from({ length: times }, () => [[OWNER], LINE]));
    expect(await answered(world, asked.shop)).toHaveLength(1);
    const warned = world.logged.filter(({ event }) => event === 'owner_not_told');
    const fields = { merchant_id: asked.shop.id, code };
    expect(warned).toEqual(code ? Array(2).fill({ level: 'warn', event: 'owner_not_told', fields }) : []);
  });

  test('is sent on a retry if the first table write fails', async () => {
    await answer();
    await world.work('settle-receipt', [await settleJob()]);
    const bodies = await world.queuedNotices('question');
    refuse(world, 'TransactWriteItems', 1, () => new Error('The table is away'));
    expect(await work(world, bodies)).toBe(1);
    expect(await told(world, asked.shop)).toEqual([]);
    expect(await work(world, bodies, 2)).toBe(0);
    expect(await told(world, asked.shop)).toHaveLength(1);
  });
});

describe('a balance question by SMS', () => {
  test.each([
    ['is sent within half an hour', 29, 2],
    ['is not sent after half an hour', 31, 1],
  ])('%s', async (_, minutes, times) => {
    await noteUnclear(asked);
    const bodies = await world.queuedNotices('wallet');
    world.clock.nowMs += minutes * 60_000;
    expect(await work(world, bodies)).toBe(0);
    expect(await questions(world, asked.shop)).toHaveLength(times);
    // Owners without a question get a notification instead.
    expect(await told(world, asked.shop)).toHaveLength(2 - times);
  });

  test.each([
    ['is sent if five minutes remain to reply', 0, 2, 0],
    ['is replaced by a notification if under five minutes remain', 1, 1, 1],
  ])('%s', async (_, afterMs, asks, notifies) => {
    await noteUnclear(asked);
    const bodies = await world.queuedNotices('wallet');
    // Other codes are queued first.
    const turn_ms = world.clock.nowMs + 5 * 60_000 + afterMs;
    await world.outside.table.write([changeItem({ pk: `PACE#${LINE}`, sk: 'SENDER' }, { turn_ms, round: 1 })]);
    expect(await work(world, bodies)).toBe(0);
    const asking = [await questions(world, asked.shop), await told(world, asked.shop)];
    expect(asking.map(({ length }) => length)).toEqual([asks, notifies]);
  });

  test('is not sent if the owner has already received a notification', async () => {
    await noteUnclear(asked);
    const bodies = await world.queuedNotices('wallet');
    const sent = async () => (await world.rows('SEND')).length;
    const before = await sent();
    await work(world, bodies);
    world.clock.nowMs += 11 * 60_000;
    expect(await work(world, bodies, 2)).toBe(0);
    expect((await sent()) - before).toBe(1);
  });

  test('is sent on a retry if the first table write fails', async () => {
    await noteUnclear(asked);
    const bodies = await world.queuedNotices('wallet');
    refuse(world, 'TransactWriteItems', 1, () => new Error('The table is away'));
    expect(await work(world, bodies)).toBe(1);
    expect(await told(world, asked.shop)).toEqual([]);
    expect(await work(world, bodies, 2)).toBe(0);
    expect(await questions(world, asked.shop)).toHaveLength(2);
  });

  test.each([
    ['the owner has turned off replies by SMS', { answers: '' }, 1],
    ['it has been verified in the meantime', undefined, 2],
  ])('is not sent to verify a number if %s', async (_, form, times) => {
    await visitTexts({ to: '0551112224', answers: 'on' });
    const bodies = await world.queuedNotices();
    if (form) await visitTexts({ to: '0551112224', ...form });
    else {
      await work(world, bodies);
      await write(world, { ...asked, number: STRANGER }, `YES ${(await lastQuestion(world, asked.shop)).code}`);
    }
    world.clock.nowMs += 11 * 60_000;
    const again = bodies.map((body) => ({ ...body, at: world.iso() }));
    expect(await work(world, again)).toBe(0);
    expect(await questions(world, asked.shop)).toHaveLength(times);
  });

  test('is not sent to verify a number without a sender', async () => {
    await world.createShop({ number: LINE });
    await switchAnswersOn(world, { ...asked, number: STRANGER });
    expect(await questions(world, asked.shop)).toHaveLength(1);
    expect(await told(world, asked.shop)).toEqual([]);
  });

  test('is sent once to verify a number', async () => {
    await switchAnswersOn(world, { ...asked, number: STRANGER });
    expect(await questions(world, asked.shop)).toHaveLength(2);
    world.clock.nowMs += 11 * 60_000;
    await asked.owner.visit('/dashboard/app/device/TEXT', { form: { paid: 'on' } });
    await run(world);
    expect(await questions(world, asked.shop)).toHaveLength(2);
  });

  test('is not sent if the shop has no credits', async () => {
    await asked.shop.topUp(-(await asked.shop.balance()));
    await ask(asked);
    expect(await questions(world, asked.shop)).toHaveLength(1);
    expect(await told(world, asked.shop)).toEqual([]);
    const fields = { merchant_id: asked.shop.id, code: 'insufficient_credits' };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'owner_not_asked', fields });
  });
});

test('a reply processed by two workers gets one response', async () => {
  await answer();
  const job = await settleJob();
  // The reply is too late for the second worker, but the first has accepted it.
  await later(60, 1_000);
  world.rightBefore('TransactWriteItems', async () => {
    const taken = await question();
    if (taken) await world.outside.table.write([noteOutcome(taken, 'taken')]);
  });
  await world.work('settle-receipt', [job]);
  expect(await question()).toMatchObject({ outcome: 'taken' });
});

test('a reply forwarded repeatedly counts as one attempt', async () => {
  const { code } = await askAboutBank();
  const usual = world.dynamoDb;
  for (let posts = 0; posts < MAX_TRIES_OF_QUESTION; posts++) {
    // The worker dies after counting the attempt.
    world.dynamoDb = async (request, send) => {
      const isWord = JSON.stringify(request.input).includes('answered_at');
      if (request.command === 'TransactWriteItems' && isWord) throw new Error('crashed');
      await send();
    };
    await expect(arrives(world, asked, `YES ${code}`, { eventId: 'event-7' })).rejects.toThrow('500');
  }
  world.dynamoDb = usual;
  expect(await question()).toMatchObject({ tries: 1 });
  await write(world, asked, `YES ${code}`, { eventId: 'event-7' });
  expect(await question()).toMatchObject({ outcome: 'taken', wrong: 0 });
});

test('common spellings of replies are parsed', () => {
  const code = 'C7KQ4MX2';
  for (const [text, word] of [
    [`YES ${code}`, 'yes'],
    [` no\n${code.toLowerCase()} `, 'no'],
    [`${code}: No.`, 'no'],
    [`12.50 ${code}`, 12_50],
    [`GHS 1,047 ${code}`, 1_047_00],
    [`gh₵1,047.5 C7KQ-4MX2`, 1_047_50],
    [`C7KQ 4MX2 0`, 0],
  ] as const) {
    expect({ text, answer: readAnswer(text) }).toEqual({ text, answer: { value: word, code } });
  }
  // `12,50` is ambiguous: some people use a decimal comma.
  const odd = [`12.345 ${code}`, `12,50 ${code}`, `-5 ${code}`, 'YES TOMORROW', '8 Saturday', 'YES 23456789'];
  for (const text of [code, 'YES', `YES NO ${code}`, `YES ${code}9`, `YES ${code.slice(1)}`, ...odd]) {
    expect({ text, answer: readAnswer(text) }).toEqual({ text, answer: undefined });
  }
  expect(['C7KQ 4MX2', 'yes c7 kq 4m x2', 'STOP', 'See you tomorrow'].filter(mayHoldCode)).toHaveLength(2);
});

test('a question fits into two SMS, and its response fits into one', () => {
  const name = 'A shop with a name that is longer than most';
  for (const about of ['hello', 'bank', 'balance'] as const) {
    const text = questionWords({ name }, { about, momo_number: '+233241234567' }, 'C7KQ4MX2');
    const fits = [sizeOf(text).segments <= 2, text.includes('C7KQ4MX2'), readAnswer(text)];
    expect([about, ...fits]).toEqual([about, true, true, undefined]);
    for (const outcome of ['taken', 'refused', 'late'] as const) {
      const reply = replyWords({ name }, { outcome, about });
      expect({ segments: sizeOf(reply).segments, answer: readAnswer(reply) }).toEqual({
        segments: 1,
        answer: undefined,
      });
    }
  }
});

test('a response says what changed and where to continue', () => {
  const reply = (outcome: Outcome, about: 'hello' | 'balance') =>
    replyWords({ name: 'Ama Stores' }, { outcome, about });
  expect({ hello: reply('taken', 'hello'), balance: reply('taken', 'balance') }).toEqual({
    hello: 'Ama Stores: Thank you. You can now answer questions about your wallets from this phone.',
    balance: 'Ama Stores: Thank you. Your answer about the wallet was recorded.',
  });
  const refused = 'Ama Stores: Your answer does not match, so nothing was changed.';
  const late = 'Ama Stores: That code is no longer valid, so nothing was changed.';
  expect({
    refusedHello: reply('refused', 'hello'),
    refusedBalance: reply('refused', 'balance'),
    lateHello: reply('late', 'hello'),
  }).toEqual({
    refusedHello: `${refused} Ask again under Notifications in the dashboard.`,
    refusedBalance: `${refused} Answer under Wallets in the dashboard.`,
    lateHello: `${late} Ask again under Notifications in the dashboard.`,
  });
  // This shop name cannot be sent in an SMS.
  expect(replyWords({ name: '商店' }, { outcome: 'late', about: 'bank' })).toMatch(/^Your shop: That code/);
});

test('a question can be understood without further context', () => {
  const words = (about: 'hello' | 'bank' | 'balance') =>
    questionWords({ name: 'Ama Stores' }, { about, momo_number: '+233241234567' }, 'C7KQ4MX2');
  expect({ hello: words('hello'), balance: words('balance') }).toEqual({
    hello:
      'Ama Stores: to answer questions about your wallets from this phone, answer YES C7KQ4MX2 within 10 minutes. Do not show the code to anyone.',
    balance:
      'Ama Stores: the texts of MoMo 0241234567 are unclear: one may be missing or forged. Check the wallet itself. Reply with its balance and the code, such as 12.50 C7KQ4MX2, within 10 minutes. Do not show the code to anyone.',
  });
  expect(questionWords({ name: '商店' }, { about: 'hello' }, 'C7KQ4MX2')).toMatch(/^Your shop: to answer/);
});

async function sendToBank(amount: number): Promise<void> {
  world.clock.nowMs += 1_000;
  await asked.shop.arrive(asked.book.sentToBank(amount));
  await pass(world, 0);
}

/** Sends the owner a bank transfer question. */
async function askAboutBank() {
  await sendToBank(1_200);
  return lastQuestion(world, asked.shop);
}

/** Receives the owner's yes but does not process it. */
async function answer(): Promise<void> {
  await arrives(world, asked, `YES ${(await askAboutBank()).code}`);
}

async function later(minutes: number, ms = 0): Promise<void> {
  world.clock.nowMs += minutes * 60_000 + ms;
}

/** Sends a question about unlinked texts, without creating the texts. */
async function ask(whom: Asked): Promise<void> {
  await noteUnclear(whom);
  await run(world);
}

/** Submits the notification settings only. */
async function visitTexts(form: Readonly<Record<string, string>>): Promise<void> {
  world.clock.nowMs += 1_000;
  const said = { texts_per_day: '20', wallet: 'on', ...form };
  expect((await asked.owner.visit('/dashboard/app/text', { form: said })).status).toBe(303);
}

async function noteUnclear({ shop }: Asked): Promise<void> {
  world.clock.nowMs += 1_000;
  const received_at = world.iso();
  const wallet = { network: shop.network, momo_number: shop.number, merchant_id: shop.id, received_at };
  const details = { kind: 'balance_unclear', balance_pesewas: 1, proven_pesewas: 2, texts: 2 } as const;
  await world.outside.table.write([keepUnclearBalance(world.outside, { ...wallet, ...details })]);
}

async function question() {
  const [one] = await questionRows.list(world.outside, { line: LINE, number: OWNER });
  return one;
}

/** Returns a wrong code. It has letters and digits, because letters alone would count as a word. */
function wrong(code: string, n: number): string {
  const kept = code.slice(0, 7);
  const others = (/[A-Z]/.test(kept) ? '23456789' : 'ABCDEFGH').replace(code.slice(-1), '');
  return `${kept}${others[n]}`;
}

async function lastTextLeaves(): Promise<void> {
  const [send] = (await world.rows('SEND')).slice(-1);
  await world.work('deliver-sms', [{ send_id: send?.send_id, index: 0 }]);
}

/** Returns the stream's job for the latest reply. */
async function settleJob(): Promise<object> {
  const written = databaseOf(world).records().slice(-3);
  await callWorker(world, relay, { Records: written.filter((record) => isWanted(record, relay.row)) });
  const queued = world.queued.splice(0, world.queued.length);
  return queued.find(({ queue }) => queue === 'settle-receipt')?.job.body ?? {};
}
