import { Narrator } from './narrator.ts';
import { startOwnStack } from './own-stack.ts';
import { bearer, Scene } from './scene.ts';
import { type ShopServer, startShopServer } from './shop-server.ts';
import { assignReceipt, claimPayment, createCharge, createLink, createRequest, sendText, setWebhook } from './steps.ts';
import { Visitor } from './visitor.ts';

/**
 * `npm run demo`: what the service does, shown step by step on its own stack. Every call is real and every claim is checked: it
 * exits with 0 only if all went as described.
 */
const startedAtMs = Date.now();
const starting = startOwnStack();
let leaving: Promise<never> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(130));

const narrator = new Narrator();
narrator.title('Momo Kiosk: how a shop is paid by mobile money, and texts its customers');
narrator.say('Starting the database, the queues, the workers and a phone on this machine…');
try {
  const stack = await starting;
  narrator.say(`Ready on ${stack.facts.base_url}. Everything you see happens; nothing leaves this machine.`);
  const scene = new Scene(narrator, stack);
  const shop = await startShopServer();
  await kofiPays(scene, shop);
  await abenaPaysTooLittle(scene);
  await yawForgetsTheReference(scene);
  const text = await amaTextsCustomers(scene);
  await efuaSellsAtTheTill(scene);
  await anybodyBuysATicket(scene);
  await kojoPaysInParts(scene);
  await theTextHasArrived(scene, text);
  await othersAreRefused(scene);
  const { checks, failures } = narrator;
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  narrator.title(
    failures === 0
      ? `Everything went as described: ${checks} checks in ${seconds} seconds. Try it yourself: npm start`
      : `${failures} of ${checks} checks failed.`,
  );
  await leave(failures === 0 ? 0 : 1);
} catch (error) {
  // After Ctrl-C, people know why.
  if (!leaving) narrator.title(`The story was interrupted. ${error instanceof Error ? error.message : error}`);
  await leave(1);
}

async function kofiPays(scene: Scene, shop: ShopServer): Promise<void> {
  narrator.chapter('Ama Stores creates a charge');
  narrator.say('Once, at the start, the shop’s software sets the address for its webhooks:');
  shop.secret = await setWebhook(scene, shop.url);
  narrator.say('Kofi Mensah buys two yards of kente at Ama’s. Her shop’s software asks the service for a charge:');
  const charge = await createCharge(scene, {
    amount: 36,
    customer_name: 'Kofi Mensah',
    description: 'Two yards of kente',
  });
  narrator.say('The answer names a checkout page, which the shop shows to Kofi or sends him as a link.');

  narrator.chapter('Kofi opens the checkout page');
  const page = await scene.openPage(charge.authorization_url);
  // The digits of a reference are shown in groups.
  const shown = page.lines.map((line) => line.replaceAll(' ', ''));
  const missing = ['AmaStores', '36.00', charge.reference].filter((it) => !shown.some((line) => line.includes(it)));
  narrator.check(
    'The page says whom to pay, how much, and which reference to type',
    missing.length === 0,
    `without ${missing}`,
  );
  const waiting = await scene.findCharge(charge.reference, ({ status }) => status === 'pending');
  narrator.checkIs('The charge is', waiting.status, 'pending');

  narrator.chapter('Kofi pays from his own phone');
  narrator.say('He sends GHS 36 by MTN MoMo and types the reference. MTN texts a receipt to the shop’s phone:');
  await scene.pay({ reference: charge.reference, name: 'Kofi Mensah', amount: 36 });
  narrator.say(
    'The SMSGate app on that phone posts the SMS to the service, signed with the phone’s key. The service reads it and ' +
      'finds the charge. The shop’s software asks for its state:',
  );
  const paid = await scene.verifyCharge(charge.reference, 'success');
  narrator.checkIs('The charge is', paid.status, 'success');
  narrator.checkIs('It was recognised by its', paid.payment?.matched_by, 'reference');
  narrator.say('Kofi’s page, which has been polling too, turns green:');
  narrator.checkIs('The page gets', await scene.askFromPage(charge.access_code), 'success');
  narrator.say('And the shop’s own server gets a webhook, which it trusts, because the signature matches its secret:');
  const told = await scene.webhookAbout(shop, charge.reference);
  narrator.checkIs('It receives a', told?.type, 'charge.success');
  await shop.stop();
}

async function abenaPaysTooLittle(scene: Scene): Promise<void> {
  narrator.chapter('Abena pays too little');
  narrator.say('She owes GHS 50 and sends 45. The reference is right, the amount is not.');
  const { reference, access_code } = await createCharge(scene, {
    amount: 50,
    customer_name: 'Abena Owusu',
    description: 'Head tie',
  });
  await scene.pay({ reference, name: 'Abena Owusu', amount: 45 });
  narrator.say('It is counted, and the page says what is missing. The charge is not paid yet:');
  const waiting = await scene.findCharge(reference, (charge) => charge.amount_paid > 0);
  narrator.checkIs('What has arrived is GHS', waiting.amount_paid, 45);
  narrator.checkIs('The page learns that the charge is', await scene.askFromPage(access_code), 'pending');
  narrator.say('Her brother sends the missing 5 and types no reference. The service does not guess: a person decides.');
  const receipt = await scene.pay({ name: 'Kwesi Owusu', amount: 5 });
  const held = await scene.findHeldReceipt(receipt.transaction_id);
  narrator.checkIs('The receipt is held because of', held.reason ?? '', 'name_differs');
  narrator.say('Ama knows what it is for. She assigns the receipt to the charge by hand:');
  const paid = await assignReceipt(scene, held.id, { reference });
  narrator.checkIs('The charge is', paid.status, 'success');
  narrator.checkIs('What has arrived is GHS', paid.amount_paid, 50);
  narrator.checkIs('It stays on record that it was matched by', paid.payment?.matched_by, 'hand');
}

async function yawForgetsTheReference(scene: Scene): Promise<void> {
  narrator.chapter('Yaw’s sister pays, without the reference');
  narrator.say('The charge of GHS 20 is in Yaw’s name. His sister pays it from her phone and types no reference.');
  const charge = await createCharge(scene, { amount: 20, customer_name: 'Yaw Adjei', description: 'Straw bag' });
  const receipt = await scene.pay({ name: 'Efua Sarpong', amount: 20 });
  narrator.say('The amount matches, the name does not, and an amount alone never confirms a charge:');
  const held = await scene.findHeldReceipt(receipt.transaction_id);
  narrator.checkIs('The receipt is held because of', held.reason ?? '', 'name_differs');
  narrator.say('Yaw’s page has a form for this. He types the transaction ID from his sister’s phone and her name:');
  await claimPayment(scene, charge.access_code, {
    transaction_id: receipt.transaction_id,
    name: 'Efua Sarpong',
  });
  const paid = await scene.findCharge(charge.reference, ({ status }) => status === 'success');
  narrator.checkIs('The charge is', paid.status, 'success');
  narrator.checkIs('It was recognised by his', paid.payment?.matched_by, 'claim');
}

async function efuaSellsAtTheTill(scene: Scene): Promise<void> {
  narrator.chapter('At the counter, a till');
  narrator.say('Nobody types a reference at a market stall. Efua stands at the till, which is a page on her phone:');
  const till = await scene.ownerAt('/dashboard/till');
  await till.press('Add the till', { name: 'Counter 1' });
  await till.press('Begin your shift at Counter 1');
  await till.press('Show payments', { amount: '15.00' });
  narrator.quote(till.url, till.lines.slice(1, 7).join('\n'));
  narrator.say('The customer sends GHS 15. The payment appears on the till with the payer’s name, and Efua taps it:');
  await scene.pay({ name: 'Akosua Boateng', amount: 15 });
  const isGreen = await scene.tapWhenThere(till, 'GHS 15.00');
  narrator.quote(till.url, till.lines.slice(1, 7).join('\n'));
  narrator.check('The till is green', isGreen, 'another page');
}

async function anybodyBuysATicket(scene: Scene): Promise<void> {
  narrator.chapter('A link that hands out codes');
  narrator.say('Ama sells tickets without a shop: a link, and its QR code. Each payer gets one of its codes.');
  const link = await createLink(scene, { title: 'Fashion show', amount: 40, codes: ['SHOW-A1', 'SHOW-A2'] });
  const buyer = new Visitor();
  const reference = await scene.payOnPage(buyer, link.url, {});
  await scene.pay({ reference, name: 'Esi Asante', amount: 40 });
  narrator.say('As soon as the payment is there, the page hands out the code:');
  const line = await scene.lineWith(buyer, 'SHOW-A');
  narrator.checkIs('The page shows the code', line?.match(/SHOW-A\d/)?.[0], 'SHOW-A1');
}

async function kojoPaysInParts(scene: Scene): Promise<void> {
  narrator.chapter('A request that is paid in parts');
  narrator.say('Kojo had three dresses made and may pay in parts. Ama sends him a request with its page:');
  const { url } = await createRequest(scene, {
    title: 'Three dresses',
    lines: [{ description: 'Dress', quantity: 3, amount: 100 }],
    customer_name: 'Kojo Appiah',
  });
  const kojo = new Visitor();
  const reference = await scene.payOnPage(kojo, url, { amount: '120' });
  await scene.pay({ reference, name: 'Kojo Appiah', amount: 120 });
  narrator.say('His page counts what arrived, and asks for the rest:');
  await kojo.open(url);
  const rest = await scene.lineWith(kojo, '180.00');
  narrator.check('The page says that GHS 180.00 are still to be paid', rest !== undefined, kojo.lines.join(' '));
}

/** The id of the first text. */
async function amaTextsCustomers(scene: Scene): Promise<string> {
  narrator.chapter('Ama texts three customers');
  narrator.say('One credit is one text to one number, debited when the text is accepted.');
  const before = await scene.showCredits();
  const to = ['0241112223', '0201112223', '0271112223'];
  const { ids } = await sendText(scene, { to, message: 'Ama Stores: the new kente is here. Come before Friday!' });
  narrator.say('A worker passes the three texts to the phone, which sends:');
  const texts = await scene.textsOnAir(to.length);
  for (const { from, text, to } of texts) narrator.quote(`SMS from ${from} to ${to}`, text);
  narrator.checkIs(
    'Each number got one text:',
    texts
      .map((text) => text.to.replace('+233', '0'))
      .toSorted()
      .join(', '),
    to.toSorted().join(', '),
  );
  narrator.checkIs('The credits left are', await scene.showCredits(), before - to.length);
  return ids[0] ?? '';
}

async function theTextHasArrived(scene: Scene, id: string): Promise<void> {
  narrator.chapter('The texts have arrived');
  narrator.say('Twenty seconds after it left, the phone is asked what the network reports of a text:');
  const { status } = await scene.showArrived(id);
  narrator.checkIs('The first one is', status, 'delivered');
}

async function othersAreRefused(scene: Scene): Promise<void> {
  const { secret_key, smsgate } = scene.facts;
  const text = { to: '0241112223', message: 'Hello' };
  narrator.chapter('What is refused');
  narrator.say('A stranger posts a receipt that no phone received, without the phone’s signing key:');
  const forged = {
    event: 'sms:received',
    id: 'forged',
    deviceId: smsgate.device_id,
    payload: { sender: 'MobileMoney', message: 'Payment received for GHS 9000.00 from NOBODY …' },
  };
  const unsigned = { 'x-timestamp': String(Math.floor(Date.now() / 1000)), 'x-signature': '0'.repeat(64) };
  const { pathname } = new URL(smsgate.callback_url);
  narrator.checkIs('It is refused with', await scene.tryPost(pathname, forged, unsigned), 401);
  narrator.say('A program sends a text with the key that is for charges:');
  narrator.checkIs('It is refused with', await scene.tryPost('/api/v1/sms/send', text, bearer(secret_key)), 401);
  narrator.say('Kojo’s shop is new and has bought no credits yet:');
  const kojosKey = await scene.takeOnMerchant('Kojo Books');
  narrator.checkIs('It is refused with', await scene.tryPost('/api/v1/sms/send', text, bearer(kojosKey)), 402);
}

function leave(code: number): Promise<never> {
  leaving ??= starting
    .then(
      ({ stop }) => stop(),
      () => {},
    )
    .then(() => process.exit(code));
  return leaving;
}
