import { expect, onTestFinished, test } from 'vitest';
import { referenceDocument } from '../support/reference.ts';
import { startServer } from '../support/server.ts';
import { deskPhone } from './stage.ts';
import type { StagePhone } from './stage-phone.ts';
import { stageStories } from './stage-stories.ts';
import type { Desk, Iam } from './story.ts';

// The journeys' notes about a misconfigured AWS account.

const [first] = stageStories;
const document = JSON.parse(JSON.stringify(referenceDocument));

const answers: Readonly<Record<number, object>> = {
  200: document.paths['/api/v1/transaction/initialize'].post.responses[200].content['application/json'].example,
  500: document.components.responses.internal.content['application/json'].example,
};

test('the check of a new account passes if AWS supplies leading keys', async () => {
  expect(await tellFirst(200, { isNarrowed: true, refusals: async () => 0 })).toMatch(/supplies dynamodb:LeadingKeys/);
});

test('the check of a new account reports missing leading keys', async () => {
  let asked = 0;
  const refusals = async () => (asked++ < 2 ? 0 : 4);
  expect(await tellFirst(500, { isNarrowed: true, refusals })).toMatch(
    /answered 500\. IAM refuses what functions write: this account does not supply dynamodb:LeadingKeys .* -c leadingKeys=off/,
  );
});

test('the check of a new account is inconclusive without IAM denials', async () => {
  const refusals = async () => 4;
  expect(await tellFirst(200, { isNarrowed: false, refusals })).toMatch(/leadingKeys=off, so this does not tell/);
  expect(await tellFirst(500, { isNarrowed: false, refusals })).toMatch(
    /roles are not narrowed: look for a permissions/,
  );
  expect(await tellFirst(500, { isNarrowed: true, refusals: async () => 0 })).toMatch(/IAM refused nothing/);
  expect(await tellFirst(500, undefined)).toMatch(/IAM refused nothing/);
  expect(await tellFirst(200, undefined)).toBe('');
});

test('a rejected receipt is forwarded again', async () => {
  const left = [401, 401, 200];
  const desk = deskOf({ post: async () => left.shift() ?? 500 });
  await desk.receive({ amount: 1, name: 'Kofi Mensah' });
  expect(left).toEqual([]);
  await expect(deskOf({ post: async () => 401 }).receive({ amount: 1, name: 'Kofi Mensah' })).rejects.toThrow(
    /still refuses \(401\) what the phone device-1 of the gateway phone signs with the key that is stored/,
  );
});

/** Runs the first journey. Returns its note, or its error message if it fails. */
async function tellFirst(status: number, iam: Iam | undefined): Promise<string> {
  const { url: baseUrl, stop } = await startServer((_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(answers[status])),
  );
  onTestFinished(stop);
  const notes: string[] = [];
  const unused = async () => {
    throw new Error('Only the first journey is told');
  };
  const desk: Desk = {
    iam,
    ...deskOf({ post: unused }),
    faults: unused,
    sellCredits: unused,
    codeTo: unused,
  };
  const note = (words: string) => void notes.push(words);
  try {
    await first?.tell({ baseUrl, liveKey: 'sk_live_1', desk, note, patienceMs: 200 });
  } catch (error) {
    return String(error);
  }
  return notes.join();
}

function deskOf(phone: Pick<StagePhone, 'post'>) {
  const own = { place: { gateway: 'phone', device_id: 'device-1' }, ...phone };
  return deskPhone(own, 'merchant', { MTN: '+233240000001', TELECEL: '+233200000001' }, 200);
}
