import { describe, expect, test } from 'vitest';
import { lookalikeOf } from '../../../../shared/ghana/wallet-text/lookalike.ts';

describe('lookalikeOf', () => {
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
  ])('returns %s for %j', (network, senders) => {
    expect(senders.map(lookalikeOf)).toEqual(senders.map(() => network));
  });

  test.each(['MobileMoney', ' momo ', 'T-CASH', 'AT Money'])(
    'returns undefined for the genuine sender %j',
    (sender) => {
      expect(lookalikeOf(sender)).toBeUndefined();
    },
  );

  test.each(['', ' ', '1', '+233241234567', 'Ama', 'Dr. Owusu', 'MobileMoney 0241234567', 'Ama MoMo', 'GTBank', '...'])(
    'returns undefined for the ordinary name %j',
    (sender) => {
      expect(lookalikeOf(sender)).toBeUndefined();
    },
  );
});
