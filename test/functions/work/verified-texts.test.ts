import { beforeEach, describe, expect, test } from 'vitest';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import { checkEach } from '../../support/check-each.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

const world = await scene();
let shop: Shop;
let book: WalletBook;

beforeEach(async () => {
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
});

/** Adds words to a payment's text, as an unknown greeting or advert would. */
function around(text: BookedText, before: string, behind: string): BookedText {
  return { ...text, text: `${before}${text.text}. ${behind}` };
}

const textId = (text: BookedText) => `TEXT-${shop.paymentId(text)}`;

describe('a text with unknown words whose balance continues the chain', () => {
  test('confirms its charge at once', () =>
    checkEach(
      [
        { name: 'a name like a status', from: 'VERIFIED GADGETS' },
        { name: 'a greeting', before: 'Akwaaba, cherished friend! ' },
        { name: 'an advert', behind: 'Ghana is a beautiful place, come and see it.' },
      ],
      async ({ from = 'KOFI MENSAH BOATENG', before = '', behind = 'Thank you' }) => {
        const reference = await shop.charge({ amount: 40 });
        await shop.pay(around(book.paid(40, { reference, from }), before, behind));
        expect(await shop.verified(reference)).toMatchObject({
          status: 'success',
          payment: { proof: { state: 'proven' } },
        });
      },
    ));
});

describe('a text with unknown words whose balance is not verified', () => {
  test('is left to a person until an earlier text arrives, and then confirms its charge', async () => {
    const reference = await shop.charge({ amount: 40 });
    const lost = book.paid(300);
    const text = around(book.paid(40, { reference }), '', 'Ghana is a beautiful place.');
    expect(await shop.pay(text)).toBeUndefined();
    expect(await world.receiptRow(textId(text))).toMatchObject({ state: 'unread', text: text.text });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    await shop.pay(lost);
    await decideAgain(text);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
    expect(await world.receiptRow(textId(text))).toBeUndefined();
  });

  test('stays as a person decided, even if its balance is verified later', async () => {
    const reference = await shop.charge({ amount: 40 });
    const lost = book.paid(300);
    const text = around(book.paid(40, { reference }), '', 'Ghana is a beautiful place.');
    await shop.pay(text);
    await world.outside.table.write(
      await setAside(world.outside, shop.id, textId(text), { by: 'somebody', why: 'a gift' }),
    );
    await shop.pay(lost);
    await decideAgain(text);
    expect(await world.receiptRow(textId(text))).toMatchObject({ state: 'unread', set_aside: { by: 'somebody' } });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('is kept beside another text with its id', async () => {
    const id = book.nextId();
    const texts = [1, 2].map((n) => around(book.receipt(40, { id, balance: n * 100_000_00 }), '', 'Ghana.'));
    for (const text of texts) await shop.pay(text);
    expect((await shop.receipts()).filter(({ state }) => state === 'unread')).toHaveLength(2);
  });

  test('confirms nothing in a wallet without a chain', async () => {
    const other = await world.createShop();
    const reference = await other.charge({ amount: 40 });
    await other.pay(around(book.receipt(40, { reference, balance: 500_00 }), '', 'Ghana is a beautiful place.'));
    expect(await other.verified(reference)).toMatchObject({ status: 'pending' });
    expect(await other.receipts()).toMatchObject([{ state: 'unread' }]);
  });
});

async function decideAgain(text: BookedText): Promise<void> {
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
}
