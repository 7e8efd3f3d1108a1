import { describe, expect, test } from 'vitest';
import { lookalikeOf } from '../../../../shared/ghana/wallet-text/lookalike.ts';

describe('senders that look like a network', () => {
  test.each([
    [
      'MTN',
      [
        'Mobile Money',
        'Mobile-Money',
        'MTNMoMo',
        'MTN',
        'M-o-M-o',
        'MobiIeMoney',
        'М\u043ebileMoney',
        'M0M0',
        'MobileMoney.',
      ],
    ],
    ['TELECEL', ['T CASH', 'TCASH', 'Telecel Cash', 'Telecel', 'Vodafone Cash', 'T–CASH']],
    ['AT', ['AirtelTigo', 'Airtel Tigo', 'AT-Money', 'AirtelTigoMoney', 'AT']],
  ])('are taken for %s: %j', (network, senders) => {
    expect(senders.map(lookalikeOf)).toEqual(senders.map(() => network));
  });

  test.each(['MobileMoney', ' momo ', 'T-CASH', 'AT Money'])('are not %j, which is a network’s own', (sender) => {
    expect(lookalikeOf(sender)).toBeUndefined();
  });

  test.each(['', ' ', '1', '+233241234567', 'Ama', 'Dr. Owusu', 'MobileMoney 0241234567', 'Ama MoMo', 'GTBank', '...'])(
    'are not %j, which may be anybody',
    (sender) => {
      expect(lookalikeOf(sender)).toBeUndefined();
    },
  );
});
