import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { shapeOfText } from '../../../shared/money/receipt/sample-of-text.ts';
import { fine, wrong } from '../../../shared/operations/doctor/finding.ts';
import { presentReport, reportOf } from '../../../shared/operations/doctor/report.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { checkEach } from '../../support/check-each.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { mtn, paymentId } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

// Reports are shared with third parties and must not contain private data.

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

async function written(says: string): Promise<string> {
  const findings = [{ check: 'merchants' as const, ...wrong(says, says) }];
  return presentReport(await reportOf(deploymentOf(world, { release: says }), findings));
}

/** Private words, stored in every field with third-party text. */
const SECRETS = [
  ...[
    'KWABENA-SECRETNAME',
    'Ɛsi`Secret`Ɔwusu',
    '"} SECRETJSON',
    '| SECRETCELL |',
    '# SECRETHEADING',
    '<b>SECRETTAG</b>',
  ],
  ...[
    '0244987654',
    '+233244987654',
    '٠٢٤٤٩٨٧٦٥٤',
    'sk_live_SECRETKEY0123456789abcdef',
    'secret@example.com',
    '$& SECRETPATTERN',
  ],
];

describe('a report for support', () => {
  test('counts texts and held payments', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference }));
    await shop.pay(mtn({ amount: '7.00' }));
    const report = await reportOf(deploymentOf(world), [{ check: 'alarms', ...fine('Fine.') }]);
    expect(report).toMatchObject({
      runs_on: 'local stack',
      checks: { alarms: { fine: 1 } },
      settings: { merchants: 1, wallets: { MTN: 1 } },
      texts: { 'MTN held unproven': 1, 'MTN matched unproven': 1 },
      held: { 'no_charge not_anchored': 1 },
      seconds_from_text_to_green: { payments: 1, slowest: 0 },
    });
    expect(report.not_yet_tested_on_aws.filter(({ shown_here }) => shown_here)).toEqual([]);
    expect(report.shapes).toContainEqual({
      of: 'MTN held unproven',
      shape: expect.stringMatching(/^payment received for ghs # from X current balance : ghs # \. available balance/),
      count: 1,
    });
    expect(presentReport(report)).toContain(JSON.stringify(report, null, 2));
  });

  test.each(SECRETS)('never contains %j, wherever it is stored', async (secret) => {
    await world.outside.table.write([changeItem(merchantRows.key({ merchant_id: shop.id }), { name: secret })]);
    const texts = [
      mtn({ from: 'KOFI' }),
      mtn({ amount: '8.00' }),
      { ...mtn(), text: `Hello ${secret}, your code is 123456` },
    ];
    for (const text of texts) await shop.pay(text);
    for (const text of texts.slice(0, 2)) {
      const planted = { payer_name: secret, payer_reference: secret, payer_phone: secret, sender: secret };
      const key = { pk: `RECEIPT#${paymentId(shop, text)}`, sk: 'RECEIPT' };
      const whole = `Payment received for GHS 36.00 from ${secret} Current Balance: GHS 1.00 Reference: ${secret}`;
      await world.outside.table.write([changeItem(key, { ...planted, text: `${whole} ${secret.toLowerCase()}` })]);
    }
    const report = await written(secret);
    expect(report).toMatch(/payment received for ghs # from [X#]/);
    for (const part of [secret, ...(secret.match(/[\p{L}\p{N}]{5,}/gu) ?? [])])
      expect(report.toLowerCase()).not.toContain(part.toLowerCase());
    for (const { number } of [shop]) expect(report).not.toContain(number.slice(-9));
    expect(report).not.toContain(shop.id);
  });
});

describe('a masked text sample in a support report', () => {
  test('contains only words used by the networks', () => {
    expect(shapeOfText('You have received GHS5.00 from AMA OWUSU. Ref: school fees. PIN 1234', [])).toBe(
      'you have received ghs # from X . ref : X fees . X #',
    );
  });

  test('does not contain private words', () =>
    checkEach(
      [
        ...[
          'O’ZEBRA-KOFI',
          'Zebra\u200bKofi',
          'ZEBRA\u0000KOFI',
          'ＺＥＢＲＡ',
          '𝐙𝐞𝐛𝐫𝐚',
          'ЗЕБРА',
          'zebra'.repeat(99),
          'ref\u0301zebra',
        ],
        ...[
          '024zebra',
          'to_zebra',
          "at'zebra",
          'e-zebra',
          '`zebra`',
          '```\nzebra',
          '$&zebra$1',
          'https://zebra.example.com/?t=1',
        ],
        ...[
          '+233 (0)24 4987654',
          '２４４９８７６５４',
          '²⁴⁴⁹⁸⁷⁶⁵⁴',
          '①②③④⑤⑥',
          '२४४९८७',
          '24498\u00a07654',
          'x24y49z87',
          'GHS24498765.4',
        ],
      ],
      (secret) => {
        for (const text of [
          `Payment received from ${secret} . Reference: ${secret}`,
          `received${secret}`,
          `${secret}received`,
        ])
          expect(shapeOfText(text, [])).toMatch(/^(?:payment|received|from|reference|ghs|https|e-|to|[X#\s.,:;()])+$/);
      },
    ));

  test('omits a name made up entirely of words that the networks use', () => {
    for (const name of ['CASH MERCHANT', 'CASH  MERCHANT', 'Cash\u00a0Merchant'])
      expect(shapeOfText(`Payment received for GHS 5.00 from ${name}`, ['CASH MERCHANT'])).toBe(
        'payment received for ghs # from X',
      );
  });

  test('omits a reference that contains signs with a meaning in a pattern', () => {
    expect(shapeOfText('Reference: bank (1+1) [a-z] $5/cash', ['bank (1+1) [a-z] $5/cash'])).toBe('reference : X');
  });
});
