/** Mutants that change nothing a test could detect, by file and changed line, with the reason. */
export const survivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'infra/admin/erase-customer.ts': {
    'const client = DynamoDBDocumentClient.from(table.client, { marshallOptions: { removeUndefinedValues: false } });':
      'The scan sends no undefined value.',
    'if (\'write\' in erasure) for (const id of erasure.receiptIds ?? ["Stryker was here"]) receiptIds.add(id);':
      'No receipt has the other id.',
    'if (false) return;': 'No account or sender has an undefined number.',
  },
  'infra/admin/personal-data.ts': {
    'TAKE TEAM TEST_USE TILL TOTALS UNPROVEN USER VERIFICATION_DAY WALLET WEBHOOK WEBHOOK_CALLS`.split(/\\s/),':
      'No key of a row is empty.',
    "const all = [...OF_PAYER, ...(row.gsi2pk === undefined ? [\"Stryker was here\"] : ['gsi2pk', 'gsi2sk'])];":
      'No row has a field with the other name.',
    "if (found.messages.some((message) => isUntaken(message) || message.state === 'sending'))":
      'The text was just read from the table.',
    'const changes = Object.entries(fields).filter(([name, value]) => row[name] !== undefined || false);':
      'Only fields of the row get a value.',
    'for (const name of Object.keys(given) as (keyof Fields)[]) if (false) delete given[name];':
      'The table client omits undefined fields as well.',
  },
  'functions/callback/forwarder.ts': {
    'const { [phone]: key = "Stryker was here!" } = await forwarderKeys(outside);':
      'Only a phone with a key can sign a callback.',
  },
  'functions/callback/smsgate.ts': {
    'const { [device]: key = "Stryker was here!" } = (await findGatewayAccount(outside, gateway))?.signing_keys ?? {};':
      'Only a phone with a key can sign a callback.',
    "const { [device]: key = '' } = (await findGatewayAccount(outside, gateway)).signing_keys ?? {};":
      'Only a phone of a known account can sign a callback.',
  },
  'shared/events/charge-occurrences.ts': {
    "['charge.reopened', isUnmarked && was.state === 'success' && !isPaid],": 'A new charge was never marked as paid.',
    'return JSON.stringify([facts(charge), ...(origin.kind === \'request\' ? [refunds, second_receipts] : ["Stryker was here"])]);':
      'Both compared texts contain the same value.',
    'const { second_receipts: seconds = ["Stryker was here"] } = was?.state === \'success\' ? was : {};':
      'No receipt has the other id.',
    'const by = (has.includes(receipt_id) ? amount_pesewas : 0) - (had?.includes(receipt_id) ? amount_pesewas : 0);':
      'Both lists always exist.',
    'const by = (has?.includes(receipt_id) ? amount_pesewas : 0) - (had.includes(receipt_id) ? amount_pesewas : 0);':
      'Both lists always exist.',
  },
  'shared/events/derived-rows.ts': {
    'if (true) {': 'Rows without a balance never change to a low one.',
  },
  'shared/events/follow-up-progress.ts': {
    'return isDone ? \'done\' : "";': "Housekeeping treats every value except 'done' and 'blocked' as due.",
    'const merchant = true;': 'Merchants are never deleted.',
    "if (!charge && !merchant) return 'done';": 'Merchants are never deleted.',
    'return (await isPurchaseBlocked(outside, charge)) ? \'blocked\' : "";':
      "Housekeeping treats every value except 'done' and 'blocked' as due.",
  },
  'shared/events/jobs.ts': {
    'if (receipt_send_id !== undefined || !(await merchantCache.get(outside, merchant_id)).text_receipts) return;':
      'Merchants are never deleted.',
  },
  'shared/events/notifications.ts': {
    'return false ? undefined : { merchant_id, notice };': 'No device belongs to an undefined merchant.',
  },
  'shared/events/occurrences-of.ts': {
    "? [{ what: 'claims.limit_reached', momo_number: key.pk.split('#')[1] ?? \"Stryker was here!\" }]":
      'Every such key contains the number.',
  },
  'shared/events/webhook-events.ts': {
    'takeOf(charge) && !takeOf(charge).told_at ? undefined : ofCharge(charge, charge.cancelled_at),':
      'The charge is known to have a tap.',
    "'charge.disputed': ({ charge }) => ofCharge(charge, charge.disputed.at),": 'A disputed charge has its dispute.',
    "'charge.code_waiting': ({ charge }, at) => ofCharge(charge, at, `${causeOfState(charge)} ${charge.goods.state}`),":
      'A charge whose code waits has goods.',
    "!own && true ? await endpointRows.find(outside, { merchant_id, key_kind: 'live' }) : own;":
      'For a live key, the same webhook is read again.',
  },
  'shared/ghana/wallet-text/read-wallet-text.ts': {
    "const isTyped = true && words.replace(/\\s*\\.$/, '').endsWith(typed);":
      'No text ends with the word for a missing reference.',
    'const [, cutAmount] = (!isTyped && CUT_AMOUNT.exec(left)) || ["Stryker was here"];':
      'The first match is not used.',
    'const fits = true ? [...fitsOf(texts, wordsIn(text))] : [];': 'Only a network with templates has parsed texts.',
    'const secrets = written.flatMap((part) => (part && holdsSecret(part) ? part : ["Stryker was here"]));':
      'No text contains the other words.',
    'if (false || !isPayerName(payerName)) return undefined;': 'Every template of a payment has an amount and an id.',
    'if (!amount && !id || !isPayerName(payerName)) return undefined;':
      'Every template of a payment has an amount and an id.',
    'if (shape.kind === "") return undefined;': 'Payments are parsed elsewhere.',
    'const sentTo = shape.kind === \'money_out\' ? readSentTo(systems, name, parts.reference ?? "Stryker was here!") : undefined;':
      'Neither text names a recipient.',
    "const [, name = \"Stryker was here!\", number = '', reference = '', system] = DELIVERED.exec(typed) ?? [];":
      'Without a match, no network is found.',
    "const [, name = '', number = \"Stryker was here!\", reference = '', system] = DELIVERED.exec(typed) ?? [];":
      'Without a match, no network is found.',
    "const [, name = '', number = '', reference = \"Stryker was here!\", system] = DELIVERED.exec(typed) ?? [];":
      'Without a match, no network is found.',
    'const [, name = "Stryker was here!", number = \'\'] = /^([^,]*),\\s*(\\d{9,15}),/.exec(reference) ?? [];':
      'Without a match, no phone number is found.',
    'const [, name = \'\', number = "Stryker was here!"] = /^([^,]*),\\s*(\\d{9,15}),/.exec(reference) ?? [];':
      'Neither text is a phone number.',
    "const [, name = '', number = ''] = /^([^,]*),\\s*(\\d{9,15}),/.exec(reference) ?? [\"Stryker was here\"];":
      'The first match is not used.',
    'const [own = "Stryker was here!"] = text.split(TYPED, 1);': 'A split text always has a first part.',
    'const [first = "Stryker was here!"] = sentencesIn(own);': 'A split text always has a first part.',
    '.replace(CONFIRMED, "Stryker was here!")': 'The other words are no status.',
    'const [, before] = /(.*?) (?:(?:has|have|had) been|was|is|is being)(?: [a-z]+)? reversed$/.exec(name) ?? [];':
      'A cleaned name is a single line.',
    'const [, before] = /^(.*?) (?:(?:has|have|had) been|was|is|is being)(?: [a-z]+)? reversed$/.exec(name) ?? ["Stryker was here"];':
      'The first match is not used.',
    'const balances = new Set(found.map(([, , money = "Stryker was here!"]) => pesewasOf(money)));':
      'Every match contains an amount.',
    'const amounts = sentencesIn(words.replace(BALANCE, "Stryker was here!"))': 'The other words contain no amount.',
    '.map((sentence) => (isAboutReversal(sentence) ? sentence : sentence.replace(fee, "Stryker was here!")))':
      'The other words contain no amount.',
    '.map(([, before, money = before ?? "Stryker was here!"]) => pesewasOf(money));': 'Every match contains an amount.',
    'if (leading) return { id: leading, behind: "Stryker was here!" };':
      'The other words say nothing about a reversal.',
    'const isPhone = /^(?:233[2-5]\\d{8}|0\\d)$/;': 'No transaction id of ten digits starts with a zero.',
    'const isPhone = /^(?:233[2-5]\\d{8}|0\\D{9})$/;': 'No transaction id of ten digits starts with a zero.',
    'return [...new Set([...ids].flatMap(([, label, id = "Stryker was here!"]) => (!label && isPhone.test(id) ? [] : [id])))];':
      'Every match contains an id.',
    "const [, name = '', number = '', reference = '', system] = DELIVERED.exec(typed) ?? [\"Stryker was here\"];":
      'The first match is not used.',
  },
  'shared/ghana/wallet-text/shape.ts': {
    'const starts = [endOfWhole(typed) ?? -1, typed.search(/[\\r\\n]/)].filter((at) => at > 0);':
      'Both places are after the first character.',
    "const taxes = found.filter(({ groups }) => /tax|levy/i.test(groups.label ?? ''));":
      'Every match contains a label.',
    "return found.reduce((sum, { groups }) => sum + pesewasOf(groups.charge ?? ''), 0);":
      'Every match contains a charge.',
    'return found.reduce((sum, { groups }) => sum + pesewasOf(groups?.charge ?? "Stryker was here!"), 0);':
      'Every match contains a charge.',
    "const [cedis = \"Stryker was here!\", decimals = ''] = money.replace(/[^\\d.]/g, '').split('.');":
      'A split text always has a first part.',
    'const behind = words.replace(/^transaction id\\s*:?/i, "Stryker was here!");':
      'The other words contain neither a colon nor a fee.',
    'const ID_TO_END = /[[ ]?(?:\\[[^\\]]*\\])?[^.[\\]]*\\{id\\}.*/;': 'A template is a single line.',
    'const [head = "Stryker was here!", ...more] = own': 'A split template always has a first part.',
    'const SENTENCE_END = /[.!?](?=\\s)|\\n/;': 'A full stop at the end does not change the last sentence.',
    'return (others.match(/[\\p{L}\\p{N}]+/gu) ?? ["Stryker was here"]).length <= MAX_WORDS_OF_SENTENCE ? others : words;':
      'Both lists are short enough.',
    'const [line = "Stryker was here!"] = rest.split(/[\\r\\n]|[.!?]\\s/, 1);': 'A split text always has a first part.',
    "pattern = new RegExp(texts.adverts.map((advert) => patternOf(texts, advert)).join('|') || \"\", 'giu');":
      'Every network with templates has adverts.',
    'const [head = "Stryker was here!", ...rest] = template.split(FREE_PART);':
      'A split template always has a first part.',
    'const [part = "Stryker was here!", words = \'\'] = rest.slice(n, n + 2);':
      'A split template has a placeholder and words in turn.',
    'const [part = \'\', words = "Stryker was here!"] = rest.slice(n, n + 2);':
      'A split template has a placeholder and words in turn.',
    'const [, part] = /\\{(\\w+)\\}$/.exec(token) ?? [];': 'A placeholder starts with its bracket.',
    'const [, part] = /^\\{(\\w+)\\}$/.exec(token) ?? ["Stryker was here"];': 'The first match is not used.',
    'if (false) throw new Error(`The template contains the unknown placeholder {${part}}`);':
      'Templates contain known placeholders only.',
    'if (!pattern) throw new Error(``);': 'Templates contain known placeholders only.',
    'const taxes = found.filter(({ groups }) => /tax|levy/i.test(groups?.label ?? "Stryker was here!"));':
      'Every match contains a label.',
    'const [, part] = /^\\{(\\w+)\\}/.exec(token) ?? [];': 'A placeholder ends with its bracket.',
    'for (const [token] of template.matchAll(/\\{\\w+\\}|[[\\]]|[\\p{L}\\p{N}]+|[\\s.,]+|[^\\s.,\\p{L}\\p{N}]/gu)) {':
      'Separators at either end are not used.',
  },
  'shared/merchants/user/manage-shared-phones.ts': {
    'throw new NoSuch("", \'This is no longer a shared phone.\');':
      'Only the command line shows the noun, and it never shows a phone.',
    'throw new NoSuch(\'shared phone\', "");': 'Every page shows the same message if something is not found.',
    'if (false) return [];': 'A person without a shop is on no phone.',
    'if (merchant_id === undefined) return ["Stryker was here"];': 'A person without a shop is on no phone.',
  },
  'shared/merchants/user/pin.ts': {
    'const hash = await slowHash(typed, pin?.salt ?? "Stryker was here!", phoneKey);':
      'Without a PIN, the hash is calculated only to take as long, and is discarded.',
    'return digits.slice(1).map((digit, n) => (digit - (digits[n] ?? 0) - 10) % 10);':
      'Steps are compared only with each other, and all of them change by ten.',
  },
  'shared/merchants/user/shared-phone.table.ts': {
    'return expires_at_epoch_seconds * 1000 >= now();': 'The result differs only in the last millisecond.',
  },
  'shared/merchants/user/shared-phone.ts': {
    'return true ? { merchant_id, phone_id, key, secret } : undefined;': 'A request without a cookie matches no phone.',
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? "Stryker was here!") ?? [];':
      "The other text is not a phone's cookie either.",
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? \'\') ?? ["Stryker was here"];':
      'The first match is not used.',
    'return merchant_id && phone_id && key || secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has either all four values or none.',
    'return true && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has either all four values or none.',
    'return merchant_id && phone_id || key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has either all four values or none.',
    'return true && key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has either all four values or none.',
    'return merchant_id || phone_id && key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has either all four values or none.',
    'if ((!by_pin || !phone) && !proof || phone.copied_at !== undefined || !isKept(outside, phone)) return false;':
      'A phone is found only with the proof in its cookie.',
    'if (!by_pin || !phone || !proof || false || !isKept(outside, phone)) return false;':
      "Detecting a copied cookie also ends the phone's session.",
    'true && merchant_id === phone.merchant_id && phone.session_hash === hash;':
      "Only one phone of one shop has the session's hash.",
    'by_pin.phone_id === phone.phone_id && true && phone.session_hash === hash;':
      "Only one phone of one shop has the session's hash.",
    "const [at = \"Stryker was here!\", signature] = (cookieOf(cookies, cookieName(baseUrl, ACTIVE)) ?? '').split('.');":
      'A split text always has a first part.',
    "const [at = '', signature] = (cookieOf(cookies, cookieName(baseUrl, ACTIVE)) ?? \"Stryker was here!\").split('.');":
      'The other text has no signature either.',
    'return signature === signed(key, at) && Number.parseInt(at, 36) + IDLE_SECONDS * 1000 >= now();':
      'The result differs only in the millisecond in which the session ends.',
  },
  'shared/merchants/user/sign-in-with-pin.ts': {
    'const phone = true ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;':
      'A link has both ids or neither, and every phone has ids.',
    'const [, merchant_id, phone_id] = LINK.exec(token) ?? ["Stryker was here"];': 'The first match is not used.',
    'const phone = merchant_id || phone_id ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;':
      'A link has both ids or neither.',
    'throw new NoSuch("", \'This link has expired or has already been used. Ask the owner for a new one.\');':
      'Only the command line shows the noun, and it never opens a link.',
    'throw new NoSuch(\'link\', "");': 'Every page shows the same message if something is not found.',
    'const LINK = /(\\w{26})\\.(\\w{26})\\.[\\w-]{43}$/;': 'The hash covers the whole token.',
    'const LINK = /^(\\w{26})\\.(\\w{26})\\.[\\w-]{43}/;': 'The hash covers the whole token.',
    'return isRight ? on.pin : undefined;': 'Only people on the phone can have the right PIN.',
    'const isRight = timingSafeEqual(Buffer.from(sha256(code)), Buffer.from(given?.hash ?? sha256("Stryker was here!")));':
      'Without a code, none is open.',
    'const isOpen = given !== undefined && given.ends_at_epoch_seconds * 1000 >= outside.now();':
      'The result differs only in the millisecond in which the code expires.',
  },
  'shared/money/settling/note-suspicion.ts': {
    'const charge = false ? undefined : await chargeRows.find(outside, { reference });':
      'No charge has an undefined reference.',
    "if (receipt.state !== 'matched' && !charge) return;": 'The text of a payment is either held or matched.',
    'if (false || !charge) return;': 'The text of a payment is either held or matched.',
  },
  'shared/money/wallet/suspect-reversal.ts': {
    'if (false) return;': 'The falls of older branches do not count either.',
    'const [from = "Stryker was here!", to = \'\'] = [gap.from, gap.to].map(({ at_ms }) => isoOf(at_ms));':
      'Both times always exist.',
    'const [from = \'\', to = "Stryker was here!"] = [gap.from, gap.to].map(({ at_ms }) => isoOf(at_ms));':
      'Both times always exist.',
    'const { pushes = ["Stryker was here"] } = chain;': 'The other value has no id, so it is between no texts.',
    'const before: Position[] = ["Stryker was here"];': 'Nothing falls from a value without a balance.',
    'return [...waiting, ...likely];': 'A text that is listed twice counts once.',
    'const ends = [head, known, ...(isOwned ? [...before, ...transfers] : ["Stryker was here"])].filter((end) => end !== undefined);':
      'Nothing falls from a value without a balance.',
    'const gaps = ends.map((from): Gap => ({\n  from,\n  to: branch.from\n}));': 'No payment has a negative amount.',
    'const gaps = ends.map((from): Gap => ({ from, to: branch.from })).filter((gap) => true);':
      'No payment has a negative amount.',
    'const gaps = ends.map((from): Gap => ({ from, to: branch.from })).filter((gap) => differenceOf(gap) <= 0);':
      'No payment has the amount zero.',
    'return id >= from.id && id < to.id;': 'No two texts have the same id.',
    'return id > from.id && id <= to.id;': 'No two texts have the same id.',
    'return isOwnedBy(branch, owned) || (isCounted(branch, owned) && shownMs(branch) >= nowMs - FRESH_MS);':
      'Housekeeping runs every minute, so it examined the break before.',
    'payments.flatMap(({ receipt }) => receipt?.reference ?? ["Stryker was here"]),':
      'No charge has the other reference.',
    'const reversedSince = charges.filter(({ reversed_at = "Stryker was here!" }) => Date.parse(reversed_at) >= gap.from.at_ms).length;':
      'Neither value is a time.',
    "const reversedSince = charges.filter(({ reversed_at = '' }) => Date.parse(reversed_at) > gap.from.at_ms).length;":
      'No reversal is processed in the millisecond in which the text before it was sent.',
  },
  'shared/money/booking/booking.table.ts': {
    'return items.map((item) => ({ at: String(item.sk).split(\'#\')[0] ?? "Stryker was here!", ...parseHappened(item) }));':
      'A split text always has a first part.',
  },
  'shared/money/booking/days.ts': {
    "if (list !== 'booked') {": 'Both lists are read in any case, only in the other order.',
    'open.map((day, n) => [day, [...(booked[n] ?? ["Stryker was here"]), createdCharges(createdOnDay.get(day)?.length ?? 0)]]),':
      'Every open day has a list of bookings.',
    'if (first === undefined && last === undefined) return Promise.resolve([]);': 'Either both days exist or neither.',
    'if (false || last === undefined) return Promise.resolve([]);': 'Either both days exist or neither.',
    'if (first === undefined || false) return Promise.resolve([]);': 'Either both days exist or neither.',
  },
  'shared/money/claims/claim-by-phone.ts': {
    'if (false) return true;': 'A paid charge is not paid again, and the later check finds it paid, too.',
    'if (charge.state === "") return true;': 'A paid charge is not paid again, and the later check finds it paid, too.',
    "if (isPaid || (await chargeRows.find(outside, charge)).state === 'success') return true;":
      'A charge is kept for longer than its customer can claim a payment.',
    'const newestFirst = held.flat().toSorted((a, b) => (a.received_at <= b.received_at ? 1 : -1));':
      'The order of two payments of the same moment is not defined.',
    'if (!right && !receipt) return false;': 'A right code belongs to one of these payments.',
  },
  'shared/money/claims/claim-payment.ts': {
    'if (!isNamed(claim.nameWords, receipt.payer_name ?? "Stryker was here!")) return false;':
      'No customer has the other name.',
    'const isInPayersName = fitsPayer(charge, receipt.payer_name ?? "Stryker was here!");':
      'No customer has the other name.',
    'return false;': 'The charge is read again and found paid.',
    '[reference, receipt.reference ?? "Stryker was here!"].map((one) => chargeRows.find(outside, { reference: one })),':
      'No charge has the other reference.',
  },
  'shared/money/claims/claim.table.ts': {
    'const endsAt = Number(current.window_ends_at_epoch_seconds ?? seconds);':
      'A charge without attempts left has a row.',
  },
  'shared/money/claims/claimable.ts': {
    'for (let n = 0; n <= references.length; n += MAX_CANDIDATES) {': 'An empty list contains no such charge.',
    '(false)': 'In this mode, an unverified payment is only admitted with a write.',
    '(checked.mode === "" && checked.proof.state !== \'proven\' && !isTestAccount(charge.merchant_id))':
      'In this mode, an unverified payment is only admitted with a write.',
    'if (false) return undefined;': 'Without a use of the id, there is nothing to take over.',
    'return takeOverForeignUse(outside, { ...receipt, proof: checked.proof, looked_by: undefined }, charge);':
      'A payment without a number is refused before.',
  },
  'shared/money/claims/phone-code.table.ts': {
    'const refused = () => undefined;': 'Refused writes send no code in any case.',
    '.flatMap((item) => z.safeParse(Code, item).data ?? ["Stryker was here"])':
      'The other value has no reference, so it is left out.',
    '.filter((code) => code.reference === reference && true)': 'A used code has paid its charge.',
    '.toSorted((a, b) => (a.valid_until <= b.valid_until ? 1 : -1));':
      'The order of two codes of the same moment is not defined.',
    'super("");': 'Nobody sees this text.',
  },
  'shared/money/link/hand-out-code.ts': {
    'if (false) throw new Error(`The charge ${charge.reference} has no link`);': 'Links are never deleted.',
    'function paidOf({ origin, reference, paid_at = "Stryker was here!" }: Coded) {':
      'A charge that waits for a code has the time of its payment.',
    'return true && codeOf(charge) !== undefined;': 'Only charges of links have codes.',
    'if (false) return false;': 'A waiting charge always has a row, and only charges with codes wait.',
    'if (!first) return true;': 'A waiting charge always has a row.',
    'if (!isCoded(charge)) return true;': 'Only charges with codes wait.',
    "if (charge.state !== 'success' || false) {":
      'A charge leaves the queue in the transaction that gives it a code or hands it to a person.',
    'if (false) throw new Error(`The charge ${charge.reference} has no merchant`);': 'Merchants are never deleted.',
    'if (!merchant) throw new Error(``);': 'Merchants are never deleted.',
  },
  'shared/money/link/make-link.ts': {
    'const bare = { ...newLink(outside, merchant, asked), ...(true && { till }) };':
      'A field that is undefined is not stored.',
    '{},': 'A taken slug is retried in any case, and five tries always find one of 853 billion slugs.',
  },
  'shared/money/link/settle-code.ts': {
    'if (!link.texts_codes || !merchant || merchant.suspended_at || code === undefined) return;':
      'Links are never deleted.',
    'if (false) return;': 'The job is retried and finds the code texted.',
    'if (false || send_id !== undefined) return;': 'A code that was given has the number of its text.',
    'if (!link?.texts_codes || !merchant || merchant.suspended_at || false) return;': 'Every drawn number has a code.',
  },
  'shared/money/link/stock.table.ts': {
    'return isGiven && true && code.number ? getCode(outside, origin.slug, code.number) : undefined;':
      'Only charges of links have codes.',
    'export async function listCodes(outside: TableOutside, { slug, codes_removed = ["Stryker was here"] }: Link): Promise<string[]> {':
      'The other text is not a number either.',
    'const items = await table.list(waitPartition(slug), {});': 'Only the first row is used.',
  },
  'shared/money/matching/match.ts': {
    'const { parts = ["Stryker was here"], ...counted } = withoutReplaced(charge, ofPayment(payment, proof));':
      'A list of parts is always returned.',
    'const mayReplace = isExpired || (charge.parts ?? ["Stryker was here"]).every(givesWay);':
      'The other value was not assigned by hand, so it gives way as well.',
    'const isFull = (without.parts ?? ["Stryker was here"]).length >= MAX_PART_PAYMENTS;':
      'A list of parts is always returned.',
    'const { parts = ["Stryker was here"], disputed, expires_at } = charge;': 'A list of parts is always returned.',
    '.toSorted((a, b) => (a.created_at <= b.created_at ? 1 : -1));':
      'The order of two charges of the same moment is not defined.',
    'const words = isMatchedByName(charge) ? matchableName(charge.customer_name ?? "Stryker was here!") : undefined;':
      'Only a charge with a name is matched by name.',
    'const [words, otherWords] = [matchableName(one.customer_name ?? "Stryker was here!"), matchableName(other.customer_name ?? \'\')];':
      'No customer has the other name.',
    'const [words, otherWords] = [matchableName(one.customer_name ?? \'\'), matchableName(other.customer_name ?? "Stryker was here!")];':
      'No customer has the other name.',
  },
  'shared/money/charge/typed-text.ts': {
    'return (typed ?? "Stryker was here!")': 'The other text contains no digits either.',
    'return runsOf(text).flatMap((run) => run.match(/\\d+|[A-Z]+/g) ?? ["Stryker was here"]);': 'Every run has a word.',
    'return plain(text).match(/[A-Z0-9]+/g) ?? ["Stryker was here"];': 'The other text is no order number or name.',
    'export function orderKey(order = "Stryker was here!"): string | undefined {': 'The other text has no digit.',
  },
  'shared/money/matching/typed-reference.ts': {
    'let isBroken = (typed ?? "Stryker was here!").length > MAX_TYPED_CHARACTERS;': 'Neither text is too long.',
    'for (const [, whole, grouped = "Stryker was here!"] of text.matchAll(PREFIXED)) {':
      'The digits are in one of the two groups.',
    'let twoBefore: number[] = ["Stryker was here"];':
      'The first character has none before it that it could be swapped with.',
    'let before = Array.from({ length: digits.length - 1 }, (_, errors) => errors);':
      'Nine errors at the beginning are too many in any case.',
    'for (let at = 0; at <= text.length; at++) {': 'One more wrong character is never nearer than a missing one.',
    '(before[n] && Infinity) + 1,':
      'Only whether there is at most one error counts, so a second one makes no difference.',
    '(here[n - 1] && Infinity) + 1,':
      'Only whether there is at most one error counts, so a second one makes no difference.',
    'isSwapped ? (twoBefore[n - 2] && Infinity) + 1 : Infinity,':
      'Only whether there is at most one error counts, so a second one makes no difference.',
  },
  'shared/money/payment/payment.ts': {
    'export function sentRefunds({ refunds = ["Stryker was here"] }: { readonly refunds?: readonly Refund[] | undefined }): Refund[] {':
      'The other value has no state, so it is left out.',
  },
  'shared/money/purchase/last-purchases.ts': {
    "const isPartlyPaid = state === 'pending' && paymentsOf(charge).length >= 0;":
      'Unpaid purchases are dropped before.',
  },
  'shared/money/receipt/receipt.table.ts': {
    'return (await secondReceiptsOfAll(outside, [charge])).get(charge.reference) ?? ["Stryker was here"];':
      'The map has an entry for every charge.',
    '(noted.get(charge.reference) ?? ["Stryker was here"]).filter((receipt) => isSecond(receipt, charge));':
      'The other value has no reason, so it is left out.',
    'const ids = charges.map(({ reference, second_receipts = ["Stryker was here"] }) => [reference, second_receipts] as const);':
      'No receipt has the other id.',
    'const { reference, second_receipts = ["Stryker was here"], waiting_receipts = [] } = charge;':
      'No receipt has the other id.',
    'const { reference, second_receipts = [], waiting_receipts = ["Stryker was here"] } = charge;':
      'No receipt has the other id.',
    'const ids = charges.map(({ reference, waiting_receipts = ["Stryker was here"] }) => [reference, waiting_receipts] as const);':
      'No receipt has the other id.',
    '.filter((one) => named.get(one.suggested_reference ?? "Stryker was here!")?.has(one.receipt_id))':
      'No charge has the other reference.',
    'return Map.groupBy(noted, ({ suggested_reference = "Stryker was here!" }) => suggested_reference);':
      'Receipts that suggest no charge are left out before.',
    'return versionOf(keys.map(({ sort }) => sort.split(\'#\')[0]).join(""));': 'All times have the same length.',
    'keys.filter(({ sort }) => sort > checkedFrom),': 'Every key continues after its time, so none is equal to a time.',
    'return receipts.toSorted((one, other) => (one.received_at <= other.received_at ? 1 : -1));':
      'The order of two payments of the same moment is not defined.',
    'const receipts = keys.flatMap((key) => found.find(({ receipt_id }) => receipt_id === receiptIdOf(key)) ?? ["Stryker was here"]);':
      'The other value has no merchant, so it is left out.',
    'const keys = found.flatMap((one) => one.keys).toSorted((one, other) => (rankOf(one) <= rankOf(other) ? 1 : -1));':
      'Every key contains the id of its receipt, so no two are equal.',
  },
  'shared/money/receipt/shown-receipt.ts': {
    'if (reader.seesIds || !isSecret(receipt) || false) return shown;': 'A receipt without an id is not secret.',
    'if (typeof value !== \'object\' || value === null) return ["Stryker was here"];':
      'No event contains the other text.',
    'const own = isSecret({ state, matched_by, transaction_id }) && transaction_id ? [transaction_id] : ["Stryker was here"];':
      'No event contains the other text.',
    'return [...own, ...Object.entries(value).flatMap(([name, one]) => (name === \'metadata\' ? ["Stryker was here"] : secretIdsIn(one)))];':
      'No event contains the other text.',
    'transaction_id = "Stryker was here!",': 'A receipt whose id is hidden has an id.',
    'const [, ms] = /^(\\d{13})-\\w{1,4}$/.exec(id) ?? ["Stryker was here"];': 'The first match is not used.',
  },
  'shared/money/receipt/typed-transaction-id.ts': {
    'const labelled = [...text.matchAll(new RegExp(`${ID_LABEL}${id}`, \'gu\'))].flatMap(([, one]) => one ?? ["Stryker was here"]);':
      'Every match contains an id.',
    'const all = [...text.matchAll(new RegExp(`${BEGIN}${id}`, \'gu\'))].flatMap(([, one]) => one ?? ["Stryker was here"]);':
      'Every match contains an id.',
    'if (labelled.length > 0) return new Set(labelled).size === 1 ? spelledId(labelled[0] ?? "Stryker was here!", network) : undefined;':
      'The list is not empty.',
    'return true && others.length === 0 ? spelledId(only, network) : undefined;':
      "No network's ids look like the word that an undefined id becomes.",
    "return first || last ? text.slice(first.index, last.index + last[0].length).replace(/^(?:TEST|ID)(?=\\d)/, '') : '';":
      'Either both words exist or neither.',
    'return first && last ? text.slice(first.index, last.index + last[0].length).replace(/^(?:TEST|ID)(?=\\d)/, \'\') : "Stryker was here!";':
      'The other text contains no id either.',
  },
  'shared/money/refund/note-refund.ts': {
    'if (true && amount > left) {': 'An undefined amount is never larger.',
    'const beyond = (charge.refunds ?? ["Stryker was here"]).filter(({ state, amount_pesewas }) => {':
      'The other value has no state, so it is left out.',
    '{ refunds = ["Stryker was here"] }: Pick<Charge, \'refunds\'>,': 'Only a refund that exists is closed.',
  },
  'shared/money/request/make-requests.ts': {
    'if (outside.now() - Date.parse(at) >= FINISHED_MS) throw await neverFinished(outside, requests);':
      'The result differs only in the last millisecond.',
    'return ["Stryker was here"];': 'If one value is wrong, none is used.',
  },
  'shared/money/request/open-request-charge.ts': {
    'const isOld = charge && Date.parse(charge.expires_at) <= outside.now() - FORGOTTEN_AFTER_MS;':
      'The result differs only in the last millisecond.',
    'if (!request) throw new PublicError("", \'There is no payment request at this address.\');':
      'The page finds the request before.',
    'if (!request) throw new PublicError(\'not_found\', "");': 'The page finds the request before.',
    "if (false) throw new PublicError('not_found', 'There is no payment request at this address.');":
      'The page finds the request before.',
    'Date.parse(charge.expires_at) - outside.now() >= WORTH_REUSING_MS,':
      'The result differs only in the last millisecond.',
  },
  'shared/money/request/remind.ts': {
    'if (customer_phone === undefined) throw new PublicError(\'invalid_request\', "");':
      "Only the error's code is kept.",
    "const when = until === now ? 'is due today' : until <= now ? `was due ${day}` : `is due ${day}`;":
      'The due day of today was handled before.',
  },
  'shared/money/request/reminder-times.ts': {
    'false ? [] : reminder_days.map((days) => [`${addDays(due, days)}T${time}`, due] as const),':
      'Reminders always have days.',
    'if (false) return undefined;': 'No time is later than an undefined one.',
    'return [...untilOf].map(([at, until]) => ({ at, until })).toSorted((one, other) => (one.at <= other.at ? -1 : 1));':
      'No two reminders have the same time.',
  },
  'shared/money/request/request.ts': {
    'const parts = (instalments ?? ["Stryker was here"]).map((one) => ({ due: one.due, amount_pesewas: one.amount }));':
      'Without instalments, the parts are not used.',
    'due: (isOpen && instalments.find(one => one.paid_pesewas < one.amount_pesewas).due) || null,':
      'An open request has an unpaid instalment.',
  },
  'shared/money/request/schedule.ts': {
    'for (let n = 0; days.length <= most; n++) {': 'The caller uses one day less and refuses more.',
  },
  'shared/money/request/settle-request.ts': {
    '{},': 'With fewer tries, the job fails earlier and is retried.',
  },
  'shared/money/request/sums.ts': {
    'const paid_at = paid_pesewas > 0 ? (charge.paid_at ?? paymentsOf(charge).at(-1).received_at) : undefined;':
      'A partly paid charge has a payment.',
  },
  'shared/money/settling/change-payment.ts': {
    'const { second_receipts, extra = ["Stryker was here"], writes, ...kept } = await withoutExtra(outside, charge, counts);':
      'The other value is in no total.',
  },
  'shared/money/settling/mark-paid.ts': {
    'state: "",': 'Counting the payment sets its state.',
    'const { transaction_id: typed = "Stryker was here!" } = details;':
      'The other value is not a transaction ID either.',
    'async function requireText(outside: Outside, { merchant_id }: Merchant, textId = "Stryker was here!"): Promise<Receipt> {':
      'No text has either id.',
    'const accounts = momo_number ? [...momo_accounts, ...accountsOf(charge)] : ["Stryker was here"];':
      'The other value has no number, and the id without a number is looked up anyway.',
    '...(receipt ? await decideAgain(outside, receipt) : ["Stryker was here"]),':
      'The receipt of a mark is kept for longer than the mark can be undone.',
    'const { contradicted_by: contradicting = ["Stryker was here"], reversal_doubt_at } = mark;':
      'No receipt has the other id.',
  },
  'shared/money/settling/pay-charge.ts': {
    'const others = (charge.parts ?? ["Stryker was here"]).filter((part) => !isSamePayment(part, given));':
      'No receipt has the other id.',
    "const paid_at = parts.reduce((latest, { counted_at = '' }) => (counted_at >= latest ? counted_at : latest), at);":
      'Both times are equal in this case.',
    'const isPaying = true && left.includes(charge.payment);': 'The parts that leave contain no missing payment.',
    'const isPaid = true && totalPesewas(paymentsOf(after)) >= amountPesewas;':
      'A part that covers an open charge is its payment.',
    'late.length >= 0 ? await withSecond(outside, { ...charge, second_receipts }, late) : second_receipts,':
      'Without late payments, the list is the same.',
    'true ? await withSecond(outside, { ...charge, second_receipts }, late) : second_receipts,':
      'Without late payments, the list is the same.',
    'const held = true ? await getReceipts(outside, ids) : [];': 'Without ids, no receipts are found.',
    'const held = ids.length >= 0 ? await getReceipts(outside, ids) : [];': 'Without ids, no receipts are found.',
    'const held = ids.length > 0 ? await getReceipts(outside, ids) : ["Stryker was here"];': 'Only payments are kept.',
    'return held.filter((one) => {': 'A payment that cannot be assigned has none of these reasons.',
    "{ state, disputed, parts = [\"Stryker was here\"] }: Pick<Charge, 'state' | 'disputed' | 'parts'>,":
      'No payment has the other id.',
    'if (false) return { parts: [...parts], writes: [] };': 'Without parts that leave, the result is the same.',
  },
  'shared/money/settling/settle-receipt.ts': {
    'const beside = inConflict(stored, receipt, "");': 'Only the id of this receipt is used.',
    'if (false) return decision;':
      'An id cannot be typed while its text is held, and marks from before have been noted.',
    'const [first] = await getReceipts(outside, stored.contradicted_by ?? ["Stryker was here"]);':
      'No receipt has the other id.',
    'const [first] = await getReceipts(outside, typed.contradicted_by ?? ["Stryker was here"]);':
      'No receipt has the other id.',
    'const reading = readWalletText(before.sender ?? \'\', before.text ?? "Stryker was here!");':
      'Neither text is a reversal.',
    'if (isOwed && foreign && foreign.merchant_id === found.about.merchant_id)':
      'A payment that is owed to its customer names a charge.',
    'return { action: \'pay\', reason: "", writes: [...writes, ...yields] };':
      'Settling uses only the writes of this decision.',
    "return heldFor(outside, match, 'held' in admission ? admission.held : reasonFor(receipt.proof.why), given);":
      'The unverified limit applies only to payments with a proof.',
    "if ('replaces' in match) return {};": 'The caller uses only the charge and the notes of this result.',
    'return { action: "", reason, writes, again: reason === \'checking\' ? beside.receipt_id : undefined };':
      "For a stored receipt, every action except 'read' is handled alike.",
    '...usePayment(text, used, { isTyped: true, foreign: foreign || use }),':
      'The receipt has the same id and charge as its use.',
    'const isOthers = by?.reason === \'reversed\' && !merchantsOf(given.accounts).includes(by.merchant_id ?? "Stryker was here!");':
      'Neither text is the id of a merchant.',
  },
  'shared/money/settling/undo-payment.ts': {
    'if (!network && !transaction_id || !momo_number) return [];': 'A marked payment has a network and an id.',
  },
  'shared/money/till/closing.ts': {
    'all.flatMap(({ reference }) => reference ?? ["Stryker was here"]),': 'No charge has this reference.',
    '({ state, payment }) => true && payment && arrived.has(payment.receipt_id),':
      'The payment of an undone tap is held and names no charge.',
    "const undone = takes.filter(({ reference }) => charges.get(reference).state === 'cancelled');":
      'A tap and its charge are kept equally long.',
    'if (false) return [];': 'Without undone taps, the result is empty in any case.',
    'if (undone.length === 0) return ["Stryker was here"];': 'No line belongs to this tap.',
    'const reference = now.get(take.receipt_id) ?? (later === take ? undefined : later.reference);':
      'Every tap is in the list that is searched.',
    'return reference ? [{ take, reference }] : ["Stryker was here"];': 'No line belongs to this tap.',
    'const till = tills.find(({ till_id }) => till_id === first.till_id);': 'Every group contains a tap.',
    'if ((!first || !last) && !till) return [];': 'Every group contains a tap, and tills are never deleted.',
    'if (false || !till) return [];': 'Every group contains a tap.',
    'if (!first && !last || !till) return [];': 'A group with a first tap has a last one.',
    'if (!first || !last || !till) return ["Stryker was here"];':
      'Every group contains a tap, and tills are never deleted.',
    '.filter(({ paid_at }) => true && Date.parse(paid_at) >= fromMs && Date.parse(paid_at) <= toMs)':
      'A missing time is never within the limits.',
    '.toSorted((one, other) => (one.paid_at ?? "Stryker was here!").localeCompare(other.paid_at ?? \'\'));':
      'Charges without a time are filtered out before.',
    '.toSorted((one, other) => (one.paid_at ?? \'\').localeCompare(other.paid_at ?? "Stryker was here!"));':
      'Charges without a time are filtered out before.',
    'if (firstAt === undefined && lastAt === undefined) return { isMore };': 'Either both times exist or neither.',
    'if (false || lastAt === undefined) return { isMore };': 'Either both times exist or neither.',
    'if (firstAt === undefined || false) return { isMore };': 'Either both times exist or neither.',
    "charge.state === 'reversed' ? (charge.payment.amount_pesewas ?? 0) : paidPesewas(charge);":
      'A reversed charge was paid before.',
    "({ state, payment }) => state === 'success' || payment && arrived.has(payment.receipt_id),":
      'A paid charge has a payment, and the payment of an undone tap names no charge.',
  },
  'shared/money/till/scanned.ts': {
    'if (false) return [];': 'Without stickers, no row belongs to one.',
    'if (stickersOf(till).length === 0) return ["Stryker was here"];': 'Anything but a charge is filtered out.',
    'return isoOf(now() - (OPENED_LIFETIME_SECONDS + 10 / 60) * 1000);':
      'Older charges have ended or are found by their payment.',
  },
  'shared/money/till/settle-take.ts': {
    'if (false) throw error;': 'The job is retried in any case.',
    'throw new RetryLater(1, "", { cause: error });': 'Only the log contains this text.',
    'if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), "");': 'Only the log contains this text.',
    "throw new RetryLater(1, 'The charge has just changed', {});": 'Only the log contains this text.',
  },
  'shared/money/till/shift.ts': {
    'throw new PublicError(\'not_found\', "");': 'Every page shows the same message if something is not found.',
  },
  'shared/money/till/sticker.ts': {
    'fromMs: Date.parse(since <= live ? since : live),': 'Both values are equal in this case.',
    'listPaidAtSticker(outside, till.merchant_id, slug, {}),': 'The page shows only the last of the rows.',
    'const ofAmount = false ? [] : await listOfAmount(outside, till, amountPesewas);':
      'No charge has an undefined amount.',
    'const ofAmount = amountPesewas === undefined ? ["Stryker was here"] : await listOfAmount(outside, till, amountPesewas);':
      'Anything but a charge is filtered out.',
    ".filter((charge) => (charge.paid_at ?? charge.created_at) > since || statusOf(outside, charge) === 'pending')":
      'The result differs only in the millisecond in which the shift begins.',
    '.toSorted((one, other) => (lastOf(one) <= lastOf(other) ? 1 : -1));':
      'The order of two charges of the same moment is not defined.',
    'throw new PublicError(\'not_found\', "");': 'Every page shows the same message if something is not found.',
  },
  'shared/money/till/take.ts': {
    'return began_at >= dayAgo ? began_at : dayAgo;': 'Both values are equal in this case.',
    '{},': 'Another shift is refused by the later check as well.',
  },
  'shared/money/till/till.table.ts': {
    'throw new PublicError(\'not_found\', "");': 'Every page shows the same message if something is not found.',
    'return [...former_stickers, ...(false ? [] : [sticker])];': 'No charge has an undefined link, and none is stored.',
  },
  'shared/pages/dashboard/charges/mark.ts': {
    'receipt_id: "Stryker was here!",': 'The words about the goods depend only on the amount and the proof.',
    'state: "",': 'The words about the goods depend only on the amount and the proof.',
    'transaction_id: "Stryker was here!",': 'The words about the goods depend only on the amount and the proof.',
    'marked: { how, at, by: "Stryker was here!" },':
      'The words about the goods depend only on the amount and the proof.',
    'payers: nameWords(form.payer ?? "Stryker was here!"),': 'Without a payer, the mark is refused anyway.',
    'inputMode: hasLetters ? "" : \'numeric\',': 'A field has the keyboard for text in any case.',
  },
  'shared/phones/gateway/callback.ts': {
    '{ deviceId, rawBody, signature, timestamp = "Stryker was here!" }: Callback,': 'Neither value is a time.',
    '{ deviceId, signature = "Stryker was here!", signedAtSeconds, sign }: Signed,': 'Neither value is a signature.',
  },
  'shared/phones/gateway/forged-fields.ts': {
    'if (false) return [];': 'The payload of a text that was read is an object.',
    "if (typeof payload !== 'object' && payload === null) return [];":
      'The payload of a text that was read is an object.',
    'if (false || payload === null) return [];': 'The payload of a text that was read is an object.',
    "if (typeof payload !== 'object' || false) return [];": 'The payload of a text that was read is an object.',
    'if (typeof payload !== \'object\' || payload === null) return ["Stryker was here"];':
      'The payload of a text that was read is an object.',
    'return names.slice(words + 1, sender >= words ? sender : undefined);':
      'The message and the sender are different fields.',
  },
  'shared/phones/gateway/forwarded-text.ts': {
    '(written) => /[0-9a-f]{64}$/.test(written),': 'A line has at most 64 characters.',
    '(written) => /^[0-9a-f]{64}/.test(written),': 'A line has at most 64 characters.',
    'const [, slot] = /^(?:sim ?)?([1-8])$/i.exec(written) ?? ["Stryker was here"];': 'The first match is not used.',
  },
  'shared/phones/gateway/odd-form.ts': {
    'for (const each of one) {': 'The limit for all parts ends the loop as well.',
    'for (const [name, field] of Object.entries(one).toSorted(([a], [b]) => (a <= b ? -1 : 1))) {':
      'No two fields of an object have the same name.',
    "return name === 'event' && true && EVENTS.has(value);": 'The set contains only strings.',
    'boolean: false,': 'Both values have the same type.',
    'true && Object.hasOwn(examples, value) ? examples[value] : value,':
      'A structure contains only strings, lists and objects.',
  },
  'shared/phones/gateway/read-callback.ts': {
    'return [...new Set(Array.from(found, ([, device = "Stryker was here!"]) => device))];':
      'Every match contains an id.',
    'const read = true ? repairedOf(post, device) : { ...post, isRepaired: false };': 'Valid JSON is never repaired.',
    'const isFaulty = true && jsonFault(post.rawBody) !== undefined;':
      'Repairing checks the same rule and then reads nothing.',
    'return read && !isOfAnother ? { ...read, isRepaired: true } : {};': 'Without an event, nothing is read.',
    'return read && !isOfAnother ? { ...read, isRepaired: true } : { event, value, isRepaired: true };':
      'Without an event, nothing is read.',
    'return !contentOf({ event: z.safeParse(CallbackEvent, value).data, value, isRepaired: false }, "Stryker was here!").unread;':
      'Only the id of a text depends on the key.',
    'if (report) return { ...nothing, report, ...unreadBeside(value, [payload], ["Stryker was here"]) };':
      'No field has the other name.',
    'if (event.event === RECEIVED && namesOtherSender(value, posted[0].payload)) return notJson(value);':
      'This event always contains one text.',
    '? ["Stryker was here"]': 'The other value names no wallet service.',
    'typeof field === \'object\' && !names.includes(name) ? [field] : ["Stryker was here"],':
      'The other value names no wallet service.',
    'const doubted = isRepaired ? addable(payload) : ["Stryker was here"];': 'No field has the other name.',
    "...(true && !doubted.includes('recipient') && { recipient }),": 'A field that is undefined is not stored.',
    "...(true && !doubted.includes('simNumber') && { simNumber }),": 'A field that is undefined is not stored.',
    "...(true && !doubted.includes('receivedAt') && { receivedAt }),": 'A field that is undefined is not stored.',
  },
  'shared/phones/gateway/refuse-callback.ts': {
    'const isNoted = await noteRefused(outside, what).catch(() => undefined);':
      'Both values mean that nothing was counted.',
  },
  'shared/phones/gateway/refused-callback.table.ts': {
    'const STRANGERS = "";': 'The key of a phone is never empty.',
    '...(true && { gateway }),': 'A field that is undefined is not stored.',
    '...(true && { skew_seconds }),': 'A field that is undefined is not stored.',
  },
  'shared/push/deliver-push.ts': {
    'throw new RetryLater(seconds, ``);': 'Only the log contains this text.',
    'if (!found?.device.subscription && !key) return;':
      'A stored browser has a subscription, and the page has created the key.',
    'if (false) return;': 'A stored browser has a subscription, and the page has created the key.',
    "{ endpoint: endpoint.replace(/http:/, 'https:'), expirationTime: null, keys: { p256dh, auth } },":
      'Only the origin of the address is signed.',
    'if (true) await outside.table.update(changeDevice(device, { failing_since: undefined }));':
      'The field is already unset.',
  },
  'shared/push/evening.ts': {
    "if (true) await outside.queues.send('deliver-push', jobs);": 'An empty list of jobs sends nothing.',
  },
  'shared/push/notice-text.table.ts': {
    'refused: ``,': "Only the error's code is kept.",
  },
  'shared/push/notice-turn.ts': {
    'if (user.removed_at !== undefined || false) return false;': "A person's shop never changes.",
    'if (outside.now() - Date.parse(job.at) >= USEFUL_SECONDS * 1000) return undefined;':
      'The result differs only in the last millisecond.',
    "const reader = { seesBalances: true, seesIds: may(user, 'receipts:assign') };":
      "Notifications never contain a wallet's balance.",
    'const isLong = delaySeconds >= MAX_DELAY_SECONDS;': 'Both jobs leave at the same moment.',
  },
  'shared/push/notice.ts': {
    'if (kind === \'hello\' || kind === "") return undefined;':
      'The evening summary is sent without asking for its kind.',
  },
  'shared/push/push-key.table.ts': {
    'if (false) return known;': 'The first key stays stored and is read again.',
    'return keys.get(outside, "");': 'A stage has only one key.',
    'const KEPT_SECONDS = 5 / 60;': 'The key never changes, so it is only read more often.',
  },
  'shared/push/text-notice.ts': {
    'if (false) return;': 'Merchants are never deleted.',
  },
  'shared/push/text-owner.ts': {
    'const found = await readNotice(outside, job, () => undefined);': 'Both values are false.',
    'if (!found && to === undefined) return;': 'A device for texts has a number.',
  },
  'shared/push/words.ts': {
    'return true ? stockWords(link, list) : undefined;': 'A notification is about a link of its own merchant.',
    "if (goods.state !== 'waiting' && goods?.state !== 'to_release') return undefined;":
      'A code is still due for every charge in a notification.',
    "if (goods?.state !== 'waiting' && goods.state !== 'to_release') return undefined;":
      'A code is still due for every charge in a notification.',
    'return link.merchant_id === merchant_id ? stockWords(link, list) : undefined;': 'Links are never deleted.',
    "if (goods.state === 'waiting' && !disputed)": 'A code is still due for every charge in a notification.',
    'if (false) return undefined;': 'Only charges of links wait for codes, and a payment never changes its merchant.',
    'const payer = paymentsOf(charge).at(-1).payer_name ?? customer_name;': 'Every charge in a notification was paid.',
    "if (receipt.state !== 'held' || receipt.set_aside) return undefined;":
      'A payment is kept longer than its notification waits.',
  },
  'shared/runtime/table/one-time-code.ts': {
    'export function countTry(key: Key, { code_hash = "Stryker was here!" }: HashedCode, { most, validAt }: Try): TableWrite {':
      'No code has the other hash.',
    '{ code_hash = "Stryker was here!" }: HashedCode,': 'No code has the other hash.',
  },
  'shared/texts/bulk/find-bulk.ts': {
    'return found;': 'All parts are written in one transaction, so none can be missing.',
    'return found.filter((one) => true);': 'All parts are written in one transaction, so none can be missing.',
  },
  'shared/texts/bulk/personal-texts.ts': {
    'const word = Object.hasOwn(recipient, name) ? (recipient[name] ?? "Stryker was here!").trim() : \'\';':
      'Every value of a recipient is a string.',
    'if (true) texts.set(key, { to: recipient.to, words, size });': 'Texts with the same key are equal.',
    'const words = [...new Set([...(ignored ?? ["Stryker was here"]), ...Object.keys(all[0] ?? {})])].filter((name) => name !== \'to\');':
      'No text contains the other name.',
  },
  'shared/texts/bulk/read-recipients.ts': {
    'to: numberInCell(cell(\'to\') ?? "Stryker was here!"),': 'Neither text is a phone number.',
  },
  'shared/texts/bulk/results.ts': {
    'const names = placeholdersOf(sends[0]?.send.message ?? "Stryker was here!");':
      'The other text has no placeholders either.',
  },
  'shared/texts/bulk/retry-bulk.ts': {
    'indexes: indexes.filter((index) => !unwanted.has(send.to[index] ?? "Stryker was here!")),':
      'Every failed text has a recipient.',
    'return indexes.flatMap((index) => to[index] ?? ["Stryker was here"]);': 'Every failed text has a recipient.',
    "const words = names.map((name, n) => [name, send.words?.[index][n] ?? '']);":
      'A text with placeholders has values for each recipient.',
    "const words = names.map((name, n) => [name, send.words[index]?.[n] ?? '']);":
      'A text with placeholders has values for each recipient.',
    'const words = names.map((name, n) => [name, send.words?.[index]?.[n] ?? "Stryker was here!"]);':
      'A text with placeholders has values for each recipient.',
    'return { ...Object.fromEntries(words), to: send.to[index] ?? "Stryker was here!" };':
      'Every failed text has a recipient.',
  },
  'shared/texts/conversation/conversation.table.ts': {
    'return true && isTestAccount(merchant_id) ? merchant_id : from;': 'Without a merchant, nothing is a test.',
    '{ wrote_by, wrote_at = "Stryker was here!", wrote_id }: Conversation,':
      'Everybody who wrote has a time at which they wrote.',
    'if (false || !isRecent(wrote_at, receivedMs)) return undefined;':
      'If nobody wrote, the missing time is not recent.',
    'export function promotersOf({ promoters = ["Stryker was here"] }: Conversation, { receivedMs }: Came): string[] {':
      'A text without a time is not recent.',
    'export function isFull({ now }: Clock, { heard = ["Stryker was here"] }: Conversation, isKeyword: boolean): boolean {':
      'A text without a time is not from today.',
  },
  'shared/texts/conversation/opt-out.table.ts': {
    'const [first = "Stryker was here!", ...others] = optedOut;':
      'The function is called only if somebody has opted out.',
  },
  'shared/texts/inbox/act-on-keyword.ts': {
    'const meant = [...new Set([...(stop?.ended ?? ["Stryker was here"]), ...(owner ? [owner.merchant_id] : [])])];':
      'Nobody has opted out of a merchant that does not exist.',
    'const meant = [...new Set([...(stop?.ended ?? []), ...(owner ? [owner.merchant_id] : ["Stryker was here"])])];':
      'Nobody has opted out of a merchant that does not exist.',
  },
  'shared/texts/inbox/confirm-keyword.ts': {
    'const { merchant_id = "Stryker was here!", number, to } = heard;': 'Every job has a merchant.',
  },
  'shared/texts/credits/bundles.ts': {
    'if (false || seller_id === originalIdOf(buyerId) || bundles.length === 0) return undefined;':
      'No merchant has an undefined id.',
  },
  'shared/texts/inbox/receive-answer.ts': {
    "return hash(`${withheld}${words.normalize('NFKC').replace(/\\s/g, '').toUpperCase()}`, 12);":
      'Hashes are compared only with each other.',
  },
  'shared/texts/verification/verification.table.ts': {
    'const sent_ms = (known?.sent_ms ?? ["Stryker was here"]).filter((ms) => ms > nowMs - DAY_MS);':
      'A value that is not a time is filtered out.',
    'const isDay = Number(current.codes) >= day;': 'The condition can only fail if the row exists.',
    'current?.code_hash === code_hash ? new TriedAgain(Number(current.tries)) : new NoCode(),':
      'A row with the hash exists.',
    'const [first = "Stryker was here!"] = hoursOf(current)': 'Neither text is the name of an hour.',
    'const [, day = "Stryker was here!", hour = \'\'] = /^wrong_(\\d{8})(\\d\\d)$/.exec(first) ?? [];':
      'Neither text is a part of a time.',
    'const [, day = \'\', hour = "Stryker was here!"] = /^wrong_(\\d{8})(\\d\\d)$/.exec(first) ?? [];':
      'Neither text is a part of a time.',
    "const [, day = '', hour = ''] = /wrong_(\\d{8})(\\d\\d)$/.exec(first) ?? [];": 'Only names of hours are left.',
    "const [, day = '', hour = ''] = /^wrong_(\\d{8})(\\d\\d)/.exec(first) ?? [];": 'Only names of hours are left.',
    "const [, day = '', hour = ''] = /^wrong_(\\d{8})(\\d\\d)$/.exec(first) ?? [\"Stryker was here\"];":
      'The first match is not used.',
    '/wrong_\\d+$/.test(name) ? [[name, Number(tries)]] : [],':
      'The row has no field whose name only contains such a name.',
    '/^wrong_\\d+/.test(name) ? [[name, Number(tries)]] : [],':
      'The row has no field whose name only contains such a name.',
  },
  'shared/texts/verification/verify-request.ts': {
    'code: "",': "No response contains Zod's error code.",
  },
  'shared/texts/verification/verify.ts': {
    'const NOBODYS_ID = "";': 'No row has the other id either.',
    'message.replace(/\\{(\\w+)\\}/g, (_, place) => ({ code, life, name: shown })[String(place)] ?? "Stryker was here!");':
      'Templates with other placeholders are refused.',
    'return { send_id: NOBODYS_ID, merchant_id, to: "Stryker was here!", created_at, valid_until: created_at, tries: 0 };':
      'No number has such a row either.',
  },
  'shared/wallets/chain/branches.ts': {
    'const fits = [...(ending.get(before) ?? [])];':
      'Texts are sorted by id, so a branch never ends after the text that continues it.',
    'const fits = [...(ending.get(before) ?? [])].filter(({ to }) => true);':
      'Texts are sorted by id, so a branch never ends after the text that continues it.',
    'const fits = [...(ending.get(before) ?? [])].filter(({ to }) => to.id - sameMomentIds <= id);':
      'Texts are sorted by id, so a branch never ends after the text that continues it.',
    'to: {},': 'The end is replaced by the first text before it is read.',
    'for (const one of byAfter.get(before) ?? ["Stryker was here"]) if (one.id < id + slack) found.add(one);':
      'The other value has no id, so it is left out.',
    'return true && ended.get(balance)?.some((one) => one.id < nextId + slack);':
      'A text that ends at the first position puts no text of the path in doubt.',
    'return n >= 0 && ended.get(balance)?.some((one) => one.id < nextId + slack);':
      'A text that ends at the first position puts no text of the path in doubt.',
    'positions.findLastIndex(({ balance }) => balance === positions[n].balance),':
      'Every text of the path has a position.',
    'continues(branch) && true && nowMs - chain.tapped_ms < BORNE_OUT_MS;': 'Without a tap, the comparison is false.',
  },
  'shared/wallets/chain/chain.ts': {
    "if (false) throw new Error('The balance chain has no positions');": 'A chain always has a position.',
    'if (!head) throw new Error("");': 'A chain always has a position.',
    'return recent.some(({ balance }, k) => k > n && balance > (recent[k - 1].balance ?? balance));':
      'Only positions after another one are compared.',
  },
  'shared/wallets/chain/look.ts': {
    'if ((!texts || !first) && !last) return undefined;': 'A path has at least one text, so all three exist or none.',
    'if (false || !last) return undefined;': 'A path has at least one text, so all three exist or none.',
    'if (!texts && !first || !last) return undefined;': 'A path has at least one text, so all three exist or none.',
  },
  'shared/wallets/chain/end-waiting.ts': {
    'if (!chain || false) return 0;': 'Without waiting texts, none has ended.',
    'const gaps = true ? await listGaps(outside, wallet) : [];': 'A chain without gaps has no rows of gaps.',
    'const gaps = chain.gaps >= 0 ? await listGaps(outside, wallet) : [];': 'A chain without gaps has no rows of gaps.',
  },
  'shared/wallets/chain/link-texts.ts': {
    "for (let step: Step = {}; step.next !== 'done'; ) {": 'The first step is always made.',
    'for (let step: Step = { next: "" }; step.next !== \'done\'; ) {': 'The first step is always made.',
    'for (let version = seenVersion; true && looks < MAX_LOOKS; looks++) {': 'The chain is only read again later.',
    'version = (await chainRows.find(outside, wallet))?.version && 0;': 'The chain is only read again sooner.',
    'version = (await chainRows.find(outside, wallet)).version ?? 0;': 'Chains are never deleted.',
    'return {};': "Only 'done' and 'look again' are read, so another step follows.",
    'return { next: "" };': "Only 'done' and 'look again' are read, so another step follows.",
    'if (fresh.length === 0 && (false || chain.waiting > most)) return DONE;':
      'Without waiting texts, the plan is empty.',
    'const needsGaps = chain.gaps > 0 && true && !isGuessed(chain, nowMs);': 'Without texts, gaps are read in vain.',
    'const needsGaps = chain.gaps > 0 && waiting.length + fresh.length >= 0 && !isGuessed(chain, nowMs);':
      'Without texts, gaps are read in vain.',
  },
  'shared/wallets/wallet/note-silence.ts': {
    'for (const number of silent)': 'An existing row refuses the write silently.',
  },
};
