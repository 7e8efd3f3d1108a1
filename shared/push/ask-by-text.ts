import { Network } from '../ghana/network.ts';
import { localNumber } from '../ghana/shown-number.ts';
import { othersPaidOn } from '../merchants/merchant/manage-merchant.ts';
import { merchantRows } from '../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../merchants/merchant/merchant.ts';
import { knownSenders } from '../merchants/merchant/senders.ts';
import type { Device } from '../merchants/user/device.table.ts';
import { chooseSender } from '../phones/sender/choose-sender.ts';
import { rememberedSenders } from '../phones/sender/sender.table.ts';
import type { Sender } from '../phones/sender/sender.ts';
import { isoOf, type Outside } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { MINUTE_MS } from '../runtime/values/calendar.ts';
import { hasCode, PublicError } from '../runtime/values/errors.ts';
import { newWordCode, WORD_CODE_LENGTH } from '../runtime/values/word-code.ts';
import {
  createQuestion,
  NotAsked,
  QUESTION_MS,
  type Question,
  questionRows,
} from '../texts/question/question.table.ts';
import { createCodeText } from '../texts/sms/code-text.table.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../texts/sms/send.ts';
import type { PushJob } from './notice.ts';
import { countTextOfToday } from './notice-text.table.ts';
import type { Texted } from './text-notice.ts';

/** Questions older than this are not texted, because their balance is outdated. */
const FRESH_MS = 30 * MINUTE_MS;

type Asked = Pick<Question, 'about' | 'network' | 'momo_number' | 'notice_at'>;

/**
 * Texts the owner a question and a one-time code to answer with. Costs the shop one credit. Returns false if no text
 * was sent.
 */
export async function askByText(
  outside: WorkerOutside,
  device: Texted,
  job: PushJob,
  noticeId: string,
): Promise<boolean> {
  const { merchant_id, user_id, to } = device;
  const merchant = await merchantRows.find(outside, { merchant_id });
  if (!merchant || outside.now() - Date.parse(job.at) > FRESH_MS) return false;
  const asked = askedIn(device, job);
  const line = asked && (await lineOf(outside, merchant_id));
  if (!asked || line === undefined) return false;
  const code = newWordCode(outside);
  const words = (shown: string) => questionWords(merchant, asked, shown);
  const validUntilMs = outside.now() + QUESTION_MS;
  try {
    const {
      send,
      writes,
      leavesMs = 0,
    } = await acceptSend(outside, merchant, {
      // Mask the code in the stored text.
      to: [to],
      from: line,
      message: words('*'.repeat(WORD_CODE_LENGTH)),
      has_code: true,
      useless_at: isoOf(validUntilMs),
    });
    // Leave the owner at least half of the code's validity to check the wallet.
    if (leavesMs > outside.now() + QUESTION_MS / 2) return false;
    const question = { merchant_id, user_id, line, number: to, ...asked };
    const last = await questionRows.find(outside, question);
    await outside.table.write([
      createQuestion(outside, question, code, last),
      ...countTextOfToday(outside, device, noticeId),
      ...writes,
      ...createCodeText(send, words(code), Math.floor(validUntilMs / 1000)),
    ]);
    return true;
  } catch (error) {
    // The previous question is still open.
    if (error instanceof NotAsked) return false;
    if (!hasCode(error, ...REFUSED_FOR_GOOD)) throw error;
    outside.log.warn('owner_not_asked', { merchant_id, code: error.code });
    return false;
  }
}

function askedIn({ answers_asked_at, answers_since }: Device, { kind, about, asks }: PushJob): Asked | undefined {
  if (kind === 'hello') return answers_asked_at && !answers_since ? { about: 'hello' } : undefined;
  const network = Network.safeParse(about).data;
  if (kind !== 'wallet' || !answers_since || !asks || !network) return undefined;
  const { momo_number, notice_at, yes_is_enough } = asks;
  return { network, momo_number, notice_at, about: yes_is_enough ? 'bank' : 'balance' };
}

/**
 * Returns a number that can send a text now, or undefined. Excludes phones that other shops also use, because somebody
 * in those shops could read the code.
 */
async function lineOf(outside: Outside, merchantId: string): Promise<string | undefined> {
  const all = await rememberedSenders(outside);
  const others = await Promise.all(all.map(({ number }) => othersPaidOn(outside, merchantId, number)));
  const isOthers = ({ owner = merchantId }: Sender, n: number) => owner !== merchantId || others[n]?.length;
  const inOtherShops = new Set(all.filter(isOthers).map(phoneOf));
  const senders = (await knownSenders(outside, merchantId)).filter((one) => !inOtherShops.has(phoneOf(one)));
  try {
    return chooseSender(outside, senders, { merchant_id: '', from: 'random' }).number;
  } catch (error) {
    if (error instanceof PublicError) return undefined;
    throw error;
  }
}

function phoneOf({ gateway, device_id }: Sender): string {
  return `${gateway} ${device_id}`;
}

/** Builds the question, at most two SMS long. Contains no amounts, so answering requires checking the wallet. */
export function questionWords(
  { name }: Pick<Merchant, 'name'>,
  { about, momo_number = '' }: Asked,
  code: string,
): string {
  const wallet = `MoMo ${localNumber(momo_number)}`;
  const end = 'within 10 minutes. Do not show the code to anyone.';
  const sentences: Readonly<Record<Asked['about'], string>> = {
    hello: `to answer questions about your wallets from this phone, answer YES ${code} ${end}`,
    bank: `did you send money from ${wallet} to your bank just now? Answer YES ${code} or NO ${code} ${end}`,
    balance: `the texts of ${wallet} are unclear: one may be missing or forged. Check the wallet itself. Reply with its balance and the code, such as 12.50 ${code}, ${end}`,
  };
  return fitName(name, { orElse: 'Your shop', maxSegments: 2 }, (shop) => `${shop}: ${sentences[about]}`);
}
