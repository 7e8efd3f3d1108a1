import { expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';

// Unread texts keep their words for 30 days and a merchant's key lists them. A code must be none of them.

test.each([
  ['MobileMoney', 'Your OTP is 123456. Never share it. For help call 0244300000.'],
  ['MobileMoney', 'Your OTP is 123456. If you have not requested or received this, call 100.'],
  ['MobileMoney', 'Your OTP is 123456. It must be confirmed within 5 minutes.'],
  ['MobileMoney', 'Your one time PIN is 1234.'],
  ['MobileMoney', 'Your onetime password is 123456.'],
  ['MobileMoney', 'Your O.T.P is 123456.'],
  ['MobileMoney', 'Your temporary PIN is 1234. Dial *170# to change it.'],
  ['MobileMoney', 'Your PIN has been reset. Your new PIN is 48213.'],
  ['MobileMoney', 'Your cash out token is 482913. Give it to the agent.'],
  ['MobileMoney', 'Your authorization code is 482913.'],
  ['MobileMoney', 'Your activation code is 482913.'],
  ['MobileMoney', 'Your security code is 482913.'],
  ['MobileMoney', 'Your confirmation code is 482913.'],
  ['MobileMoney', 'Your passcode is 482913.'],
  ['MobileMoney', 'Your login code: 482913'],
  ['MobileMoney', 'Your voucher code to withdraw GHS 500.00 at an ATM is 4829 1377 2041.'],
  ['T-CASH', '482913 is your code to log in to Telecel Cash.'],
  ['T-CASH', 'Your Telecel Cash verification code: 482913. Ref 8800112233'],
])('is a secret: %s: %s', (sender, text) => {
  expect(readWalletText(sender, text).kind).toBe('secret');
});
