import { bearer, type Scene } from './scene.ts';
import { type ShopServer, startShopServer } from './shop-server.ts';
import { assignReceipt, claimPayment, createCharge, createLink, createRequest, sendText, setWebhook } from './steps.ts';
import { Visitor } from './visitor.ts';

export async function tellStory(scene: Scene): Promise<void> {
  await kofiPays(scene, await startShopServer());
  await abenaPaysTooLittle(scene);
  await yawForgetsTheReference(scene);
  const text = await amaTextsCustomers(scene);
  await efuaSellsAtTheTill(scene);
  await anybodyBuysATicket(scene);
  await kojoPaysInParts(scene);
  await theTextHasArrived(scene, text);
  await othersAreRefused(scene);
}

async function kofiPays(scene: Scene, shop: ShopServer): Promise<void> {
  scene.narrator.chapter('Ama Stores creates a charge');
  scene.narrator.say('Once, at the start, the shop’s software sets the address for its webhooks:');
  shop.secret = await setWebhook(scene, shop.url);
  scene.narrator.say(
    'Kofi Mensah buys two yards of kente at Ama’s. Her shop’s software asks the service for a charge:',
  );
  const charge = await createCharge(scene, {
    amount: 36,
    customer_name: 'Kofi Mensah',
    description: 'Two yards of kente',
  });
  scene.narrator.say(
    'The response contains the address of a checkout page, which the shop shows to Kofi or sends him as a link.',
  );

  scene.narrator.chapter('Kofi opens the checkout page');
  const page = await scene.openPage(charge.authorization_url);
  // References are displayed in groups of digits.
  const shown = page.lines.map((line) => line.replaceAll(' ', ''));
  const missing = ['AmaStores', '36.00', charge.reference].filter((it) => !shown.some((line) => line.includes(it)));
  scene.narrator.check(
    'The page says whom to pay, how much, and which reference to type',
    missing.length === 0,
    `without ${missing}`,
  );
  const [code] = /\*\d+#/.exec(page.lines.join('\n')) ?? [];
  scene.narrator.check(
    'A phone that cannot dial the code from the page can copy it',
    code !== undefined && page.has(`data-copy="${code}"`),
    `the code ${code} without a button`,
  );
  const waiting = await scene.findCharge(charge.reference, ({ status }) => status === 'pending');
  scene.narrator.checkIs('The charge is', waiting.status, 'pending');

  scene.narrator.chapter('Kofi pays from his own phone');
  scene.narrator.say('He sends GHS 36 by MTN MoMo and types the reference. MTN texts a receipt to the shop’s phone:');
  await scene.pay({ reference: charge.reference, name: 'Kofi Mensah', amount: 36 });
  scene.narrator.say(
    'The SMSGate app on that phone posts the SMS to the service, signed with the phone’s key. The service reads it and ' +
      'finds the charge. The shop’s software asks for its state:',
  );
  const paid = await scene.verifyCharge(charge.reference, 'success');
  scene.narrator.checkIs('The charge is', paid.status, 'success');
  scene.narrator.checkIs('It was recognised by its', paid.payment?.matched_by, 'reference');
  scene.narrator.say(
    'Anybody can forge a text, so the charge also has a proof. Ama has entered her wallet’s balance, which a forger ' +
      'does not know, and the balance in this text continues it:',
  );
  scene.narrator.checkIs('The proof of the payment is', paid.payment?.proof?.state, 'proven');
  scene.narrator.say('Kofi’s page, which has been polling too, shows the payment:');
  scene.narrator.checkIs('The page gets', await scene.askFromPage(charge.access_code), 'success');
  scene.narrator.say(
    'And the shop’s own server gets a webhook, which it trusts, because the signature matches its secret:',
  );
  const event = await scene.webhookAbout(shop, charge.reference);
  scene.narrator.checkIs('It receives a', event?.type, 'charge.success');
  await shop.stop();
}

async function abenaPaysTooLittle(scene: Scene): Promise<void> {
  scene.narrator.chapter('Abena pays too little');
  scene.narrator.say('She owes GHS 50 and sends 45. The reference is right, the amount is not.');
  const { reference, access_code } = await createCharge(scene, {
    amount: 50,
    customer_name: 'Abena Owusu',
    description: 'Head tie',
  });
  await scene.pay({ reference, name: 'Abena Owusu', amount: 45 });
  scene.narrator.say('Her payment is counted, and the page says what is missing. The charge is not paid yet:');
  const waiting = await scene.findCharge(reference, (charge) => charge.amount_paid > 0);
  scene.narrator.checkIs('The amount that has arrived is GHS', waiting.amount_paid, 45);
  scene.narrator.checkIs('The page still sees the charge as', await scene.askFromPage(access_code), 'pending');
  scene.narrator.say(
    'Her brother sends the missing 5 and types no reference. The service does not guess: a person decides.',
  );
  const receipt = await scene.pay({ name: 'Kwesi Owusu', amount: 5 });
  const held = await scene.findHeldReceipt(receipt.transaction_id);
  scene.narrator.checkIs('The receipt is held because of', held.reason ?? '', 'name_differs');
  scene.narrator.say('Ama knows what it is for. She assigns the receipt to the charge by hand:');
  const paid = await assignReceipt(scene, held.id, { reference });
  scene.narrator.checkIs('The charge is', paid.status, 'success');
  scene.narrator.checkIs('The amount that has arrived is GHS', paid.amount_paid, 50);
  scene.narrator.checkIs('The record says that the payment was matched by', paid.payment?.matched_by, 'hand');
}

async function yawForgetsTheReference(scene: Scene): Promise<void> {
  scene.narrator.chapter('Yaw’s sister pays, without the reference');
  scene.narrator.say(
    'The charge of GHS 20 is in Yaw’s name. His sister pays it from her phone and types no reference.',
  );
  const charge = await createCharge(scene, { amount: 20, customer_name: 'Yaw Adjei', description: 'Straw bag' });
  const receipt = await scene.pay({ name: 'Efua Sarpong', amount: 20 });
  scene.narrator.say('The amount matches, the name does not, and an amount alone never confirms a charge:');
  const held = await scene.findHeldReceipt(receipt.transaction_id);
  scene.narrator.checkIs('The receipt is held because of', held.reason ?? '', 'name_differs');
  scene.narrator.say(
    'Yaw’s page has a form for this. He types the transaction ID from his sister’s phone and her name:',
  );
  await claimPayment(scene, charge.access_code, {
    transaction_id: receipt.transaction_id,
    name: 'Efua Sarpong',
  });
  const paid = await scene.findCharge(charge.reference, ({ status }) => status === 'success');
  scene.narrator.checkIs('The charge is', paid.status, 'success');
  scene.narrator.checkIs('It was recognised by his', paid.payment?.matched_by, 'claim');
}

async function efuaSellsAtTheTill(scene: Scene): Promise<void> {
  scene.narrator.chapter('At the counter, a till');
  scene.narrator.say(
    'Nobody types a reference at a market stall. Efua stands at the till, which is a page on her phone:',
  );
  const till = await scene.ownerAt('/dashboard/till');
  await till.press('Add the till', { name: 'Counter 1' });
  await till.press('Start your shift at Counter 1');
  await till.press('Ask for this amount', { amount: '15.00' });
  scene.narrator.quote(till.url, till.mainLines.slice(1, 6).join('\n'));
  scene.narrator.say(
    'The customer sends GHS 15. The payment appears on the till with the payer’s name, and Efua taps it:',
  );
  await scene.pay({ name: 'Akosua Boateng', amount: 15 });
  await scene.tapWhenThere(till, 'GHS 15.00');
  scene.narrator.quote(till.url, till.mainLines.slice(1, 3).join('\n'));
  scene.narrator.check('The till has the sale', till.has('till-green'), 'another page');
}

async function anybodyBuysATicket(scene: Scene): Promise<void> {
  scene.narrator.chapter('A link that hands out codes');
  scene.narrator.say('Ama sells tickets without a shop: a link, and its QR code. Each payer gets one of its codes.');
  const link = await createLink(scene, { title: 'Fashion show', amount: 40, codes: ['SHOW-A1', 'SHOW-A2'] });
  const dashboard = await scene.ownerAt(`/dashboard/links/${link.slug}`);
  scene.narrator.check(
    'Her dashboard shares the link on WhatsApp, with its title and address filled in',
    dashboard.has(`https://wa.me/?text=${encodeURIComponent(`Fashion show: ${link.url}`)}`),
    dashboard.lines.join(' '),
  );
  const buyer = new Visitor();
  const reference = await scene.payOnPage(buyer, link.url, {});
  await scene.pay({ reference, name: 'Esi Asante', amount: 40 });
  scene.narrator.say('As soon as the payment is there, the page hands out the code:');
  const line = await scene.lineWith(buyer, 'SHOW-A');
  scene.narrator.checkIs('The page shows the code', line?.match(/SHOW-A\d/)?.[0], 'SHOW-A1');
}

async function kojoPaysInParts(scene: Scene): Promise<void> {
  scene.narrator.chapter('A request that is paid in parts');
  scene.narrator.say('Kojo had three dresses made and may pay in parts. Ama sends him a request with its page:');
  const { url } = await createRequest(scene, {
    title: 'Three dresses',
    lines: [{ description: 'Dress', quantity: 3, amount: 100 }],
    customer_name: 'Kojo Appiah',
  });
  const kojo = new Visitor();
  const reference = await scene.payOnPage(kojo, url, { amount: '120' });
  await scene.pay({ reference, name: 'Kojo Appiah', amount: 120 });
  scene.narrator.say('His page counts what arrived, and asks for the rest:');
  await kojo.open(url);
  const rest = await scene.lineWith(kojo, '180.00');
  scene.narrator.check(
    'The page says that it is not a VAT invoice',
    kojo.lines.includes('Not a VAT invoice'),
    kojo.lines.join(' '),
  );
  scene.narrator.check('The page says that GHS 180.00 is still to be paid', rest !== undefined, kojo.lines.join(' '));
}

async function amaTextsCustomers(scene: Scene): Promise<string> {
  scene.narrator.chapter('Ama texts three customers');
  scene.narrator.say('One credit is one text to one number, debited when the text is accepted.');
  const before = await scene.showCredits();
  const to = ['0241112223', '0201112223', '0271112223'];
  const { ids } = await sendText(scene, { to, message: 'Ama Stores: the new kente is here. Come before Friday!' });
  scene.narrator.say('A worker passes the three texts to the phone, which sends:');
  const texts = await scene.textsOnAir(to.length);
  for (const { from, text, to } of texts) scene.narrator.quote(`SMS from ${from} to ${to}`, text);
  scene.narrator.checkIs(
    'Each number got one text:',
    texts
      .map((text) => text.to.replace('+233', '0'))
      .toSorted()
      .join(', '),
    to.toSorted().join(', '),
  );
  scene.narrator.checkIs('The credits left are', await scene.showCredits(), before - to.length);
  return ids[0] ?? '';
}

async function theTextHasArrived(scene: Scene, id: string): Promise<void> {
  scene.narrator.chapter('The texts have arrived');
  scene.narrator.say('Twenty seconds after a text was sent, the service asks the phone for the delivery report:');
  const { status } = await scene.showArrived(id);
  scene.narrator.checkIs('The first one is', status, 'delivered');
}

async function othersAreRefused(scene: Scene): Promise<void> {
  const { secret_key, smsgate } = scene.facts;
  const text = { to: '0241112223', message: 'Hello' };
  scene.narrator.chapter('Requests that are refused');
  scene.narrator.say('A stranger posts a receipt that no phone received, without the phone’s signing key:');
  const forged = {
    event: 'sms:received',
    id: 'forged',
    deviceId: smsgate.device_id,
    payload: { sender: 'MobileMoney', message: 'Payment received for GHS 9000.00 from NOBODY …' },
  };
  const unsigned = { 'x-timestamp': String(Math.floor(Date.now() / 1000)), 'x-signature': '0'.repeat(64) };
  const { pathname } = new URL(smsgate.callback_url);
  scene.narrator.checkIs('It is refused with', await scene.tryPost(pathname, forged, unsigned), 401);
  scene.narrator.say('A program sends a text with the key that is for charges:');
  scene.narrator.checkIs('It is refused with', await scene.tryPost('/api/v1/sms/send', text, bearer(secret_key)), 401);
  scene.narrator.say('Kojo’s shop is new and has bought no credits yet:');
  const kojosKey = await scene.takeOnMerchant('Kojo Books');
  scene.narrator.checkIs('It is refused with', await scene.tryPost('/api/v1/sms/send', text, bearer(kojosKey)), 402);
}
