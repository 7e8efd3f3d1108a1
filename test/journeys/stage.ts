import { randomInt } from 'node:crypto';
import { until } from '../../infra/local/story/steps.ts';
import { addMerchant } from '../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { accountRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { giveSender } from '../../shared/merchants/merchant/senders.ts';
import { examine } from '../../shared/operations/doctor/doctor.ts';
import { isWrong } from '../../shared/operations/doctor/finding.ts';
import { ACCOUNTS_REREAD_SECONDS } from '../../shared/phones/gateway/accounts.ts';
import { addSender, NOBODY } from '../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import { sendsFor } from '../../shared/phones/sender/sender.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { getSendAndMessages } from '../../shared/texts/sms/message.table.ts';
import { listSendsToCheck } from '../../shared/texts/sms/send.table.ts';
import { removeMerchant, type Traces } from './remove-merchant.ts';
import { receiptText, type StagePhone, stagePhone, type WalletNetwork } from './stage-phone.ts';
import type { Desk, Iam, Kiosk, Payment } from './story.ts';

type Stage = Pick<Kiosk, 'baseUrl' | 'sends'> & Required<Pick<Kiosk, 'liveKey' | 'smsKey' | 'pay' | 'desk'>>;

/**
 * Creates a merchant with unused wallet numbers for one run of the journeys. Its payments are simulated texts from one
 * of the stage's phones. `remove` deletes every row of the run and returns how many there were.
 */
export async function openStage(
  deployment: Deployment,
  patienceMs: number,
  given?: StagePhone,
): Promise<{ stage: Stage; remove(): Promise<number> }> {
  const { outside } = deployment;
  // Run the doctor first, because no phone has the merchant's wallets.
  const findings = await examine(deployment);
  const phone = given ?? (await stagePhone(deployment));
  const wallets = {
    MTN: await unusedNumber(deployment, '+23324000'),
    TELECEL: await unusedNumber(deployment, '+23320000'),
  };
  for (const [n, network] of (['MTN', 'TELECEL'] as const).entries()) {
    // A nonexistent SIM slot prevents sending from the number.
    const placed = { number: wallets[network], network, ...phone.place, sim_number: 101 + n, receives_only: true };
    await addSender(outside, placed);
  }
  const { merchant_id: merchantId } = await addMerchant(outside, {
    name: 'Momo Kiosk journey',
    momo_accounts: (['MTN', 'TELECEL'] as const).map((network) => {
      return { network, number: wallets[network], account_name: 'JOURNEY' };
    }),
  });
  const traces: Traces = { merchantId, wallets: Object.values(wallets), sendIds: [], codedNumbers: [] };
  const numbers = (await listSenders(outside)).filter(({ number }) => !traces.wallets.includes(number));
  const remove = async () => {
    // Without other merchants, the journeys' merchant became the owner of the numbers.
    for (const { number, owner } of numbers) if (owner === merchantId) await giveSender(outside, number, NOBODY);
    return removeMerchant(deployment, traces);
  };
  try {
    const desk: Desk = {
      ...deskPhone(phone, merchantId, wallets, patienceMs),
      iam: await iamOf(deployment),
      faults: async () => findings.filter(isWrong).map(({ message, todo }) => `${message} → ${todo}`),
      sellCredits: (credits) => topUp(outside, merchantId, credits),
      codeTo: (to) => codeTo(deployment, traces, to, patienceMs),
    };
    const stage: Stage = {
      baseUrl: await deployment.baseUrl(),
      liveKey: await addApiKey(outside, merchantId, 'live'),
      smsKey: await addApiKey(outside, merchantId, 'sms'),
      ...(numbers.some((sender) => sendsFor(sender, merchantId)) && { sends: true }),
      pay: async ({ reference, amount }) => void (await desk.receive({ reference, amount, name: 'Kofi Mensah' })),
      desk,
    };
    return { stage, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns a phone that forwards texts as the stage's phone does. */
export function deskPhone(
  phone: StagePhone,
  merchantId: string,
  wallets: Readonly<Record<WalletNetwork, string>>,
  patienceMs: number,
): Pick<Desk, 'receive' | 'takeBack' | 'receiveFromStranger'> {
  let texts = 0;
  const post = (network: WalletNetwork, message: string, gateway?: string) => {
    texts += 1;
    // The id starts with the merchant's id, so that its rows can be found.
    return phone.post(`${merchantId}-${texts}`, { network, number: wallets[network] }, message, gateway);
  };
  const arrive = async (network: WalletNetwork, message: string) => {
    // Retry until all functions know the new key.
    const status = await until(
      { patienceMs },
      () => post(network, message),
      (answered) => answered !== 401,
    );
    if (status === 401) {
      throw new Error(
        `The callback still refuses (401) what the phone ${phone.place.device_id} of the gateway ${phone.place.gateway} signs with the key that is stored. A function reads the keys again after ${ACCOUNTS_REREAD_SECONDS} seconds at most, so the gateway's name or this machine's clock is wrong, or it cannot read them: its log has callback_refused with the reason`,
      );
    }
    if (status !== 200) throw new Error(`The callback answered ${status}: doctor says what is wrong`);
  };
  return {
    async receive(payment: Payment) {
      const network = payment.phone ? 'TELECEL' : 'MTN';
      const { text, transactionId } = receiptText(network, payment);
      await arrive(network, text);
      return transactionId;
    },
    takeBack: (transactionId) => arrive('MTN', `Transaction ${transactionId} has been reversed.`),
    receiveFromStranger: () => post('MTN', receiptText('MTN', { amount: 9000, name: 'NOBODY' }).text, 'of-nobody'),
  };
}

async function iamOf({ aws }: Deployment): Promise<Iam | undefined> {
  if (!aws) return undefined;
  const isNarrowed = (await aws.stack())?.outputs.LeadingKeys !== 'off';
  return { isNarrowed, refusals: () => aws.iamRefusals() };
}

/** Returns the newest code sent to a number. Records the code's text, which belongs to no merchant, for deletion. */
async function codeTo({ outside }: Deployment, traces: Traces, to: string, patienceMs: number): Promise<string> {
  traces.codedNumbers.push(to);
  const find = async () => {
    const open = await listSendsToCheck(outside, '9999', 1_000);
    const codes = open.filter((send) => send.merchant_id === undefined && send.to.includes(to));
    return codes.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];
  };
  const send = await until({ patienceMs }, find, (found) => found !== undefined);
  if (!send) throw new Error(`No code was sent to ${to}: is a sender available?`);
  traces.sendIds.push(send.send_id);
  const read = async () => (await getSendAndMessages(outside, send.send_id))?.messages[0]?.state;
  const state = await until({ patienceMs }, read, (now) => now === 'sent' || now === 'delivered' || now === 'failed');
  if (state !== 'sent' && state !== 'delivered') throw new Error(`The code to ${to} is ${state}`);
  return send.message.slice(0, 6);
}

/** Returns a number that is neither a merchant's wallet nor a sender. */
async function unusedNumber({ outside }: Deployment, prefix: string): Promise<string> {
  const number = `${prefix}${String(randomInt(10_000)).padStart(4, '0')}`;
  const isSender = (await listSenders(outside)).some((sender) => sender.number === number);
  if (!isSender && (await accountRows.list(outside, { number })).length === 0) return number;
  throw new OperatorError(`${number} is in use here. Run this again: it will take another number.`);
}
