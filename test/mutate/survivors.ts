/** Changes that no test can detect, by file and changed line, with the reason. */
export const survivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shared/merchants/user/pin.ts': {
    'const hash = await slowHash(typed, pin?.salt ?? "Stryker was here!", phoneKey);':
      'Where there is no PIN the hash is made for the time that it takes, and thrown away.',
    'return digits.slice(1).map((digit, n) => (digit - (digits[n] ?? 0) - 10) % 10);':
      'Steps are compared with each other alone: ten less is the same step, below zero.',
  },
  'shared/merchants/user/shared-phone.ts': {
    'return true ? { merchant_id, phone_id, key, secret } : undefined;': 'No phone has what is no cookie.',
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? "Stryker was here!") ?? [];':
      'This is no cookie of a phone either.',
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? \'\') ?? ["Stryker was here"];':
      'The first of what is found is not used.',
    'return merchant_id && phone_id && key || secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has all four or none.',
    'return true && secret ? { merchant_id, phone_id, key, secret } : undefined;': 'A cookie has all four or none.',
    'return merchant_id && phone_id || key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has all four or none.',
    'return true && key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has all four or none.',
    'return merchant_id || phone_id && key && secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has all four or none.',
    'if ((!by_pin || !phone) && !proof || phone.copied_at !== undefined || !isKept(outside, phone)) return false;':
      'A phone is found by what its cookie proves.',
    'if (!by_pin || !phone || !proof || false || !isKept(outside, phone)) return false;':
      "A copy has ended the phone's session, too.",
    'true && merchant_id === phone.merchant_id && phone.session_hash === hash;':
      "A session's hash is on one phone of one shop.",
    'by_pin.phone_id === phone.phone_id && true && phone.session_hash === hash;':
      "A session's hash is on one phone of one shop.",
    "const [at = \"Stryker was here!\", signature] = (cookieOf(cookies, cookieName(baseUrl, ACTIVE)) ?? '').split('.');":
      'What is split has a first part.',
    "const [at = '', signature] = (cookieOf(cookies, cookieName(baseUrl, ACTIVE)) ?? \"Stryker was here!\").split('.');":
      'This has no signature either.',
    'return signature === signed(key, at) && Number.parseInt(at, 36) + IDLE_SECONDS * 1000 >= now();':
      'It is about the one millisecond in which a session ends.',
  },
  'shared/merchants/user/sign-in-with-pin.ts': {
    'const phone = true ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;':
      'A link has both or neither, and no phone has neither.',
    'const [, merchant_id, phone_id] = LINK.exec(token) ?? ["Stryker was here"];':
      'The first of what is found is not used.',
    'const phone = merchant_id || phone_id ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;':
      'A link has both or neither.',
    'throw new NoSuch("", \'This link has expired or has already been used. Ask the owner for a new one.\');':
      'Only the command line reads the noun, and it opens no link.',
    'throw new NoSuch(\'link\', "");': 'What is not found is shown as on every page, without these words.',
    'const LINK = /(\\w{26})\\.(\\w{26})\\.[\\w-]{43}$/;': 'The hash is of the whole token.',
    'const LINK = /^(\\w{26})\\.(\\w{26})\\.[\\w-]{43}/;': 'The hash is of the whole token.',
    'return isRight ? on.pin : undefined;': "A PIN that is right is a person's who is on the phone.",
    'const isRight = timingSafeEqual(Buffer.from(sha256(code)), Buffer.from(given?.hash ?? sha256("Stryker was here!")));':
      'Where no code was given, none is open.',
    'const isOpen = given !== undefined && given.ends_at_epoch_seconds * 1000 >= outside.now();':
      'It is about the one millisecond in which a code ends.',
  },
  'shared/money/link/hand-out-code.ts': {
    'return true && codeOf(charge) !== undefined;': 'Only a charge of a link has a code.',
    'if (false) throw new Error(`The charge ${charge.reference} has no merchant or no link`);':
      'Neither is ever deleted.',
    'if (!merchant && !link) throw new Error(`The charge ${charge.reference} has no merchant or no link`);':
      'Neither is ever deleted.',
    'if (!merchant || !link) throw new Error(``);': 'Neither is ever deleted.',
    'if (false) return false;': 'A charge that is counted as waiting has its row, and only charges with codes wait.',
    'if (!first) return true;': 'A charge that is counted as waiting has its row.',
    'if (!isCoded(charge)) return true;': 'Only charges with codes wait.',
    "if (charge.state !== 'success' || false) {":
      'What has its code, or waits for a person, has lost its place in the same transaction.',
    'if (false) throw new Error(`The charge ${charge.reference} has no merchant`);': 'No merchant is ever deleted.',
    'if (!merchant) throw new Error(``);': 'No merchant is ever deleted.',
    'function paidOf({ link, reference, paid_at = "Stryker was here!" }: Coded) {':
      'A charge that is paid has its time.',
    "if (true) await outside.table.write([...endWaiting(link, charge), moveCode(outside, charge, 'to_release').write]);":
      "What was given has moved the link's row: the write is refused, and the next one is looked at.",
  },
  'shared/money/link/make-link.ts': {
    '{},':
      'A slug that is taken is a change in any case, and nobody needs more than five tries for one in 853 billion.',
  },
  'shared/money/link/stock.table.ts': {
    'export async function listCodes(outside: TableOutside, { slug, codes_removed = ["Stryker was here"] }: Link): Promise<string[]> {':
      'No number is between these two letters.',
    'const items = await table.list(waitPartition(slug), {});': 'The first alone is used.',
  },
  'shared/money/till/closing.ts': {
    'all.flatMap(({ reference }) => reference ?? ["Stryker was here"]),': 'No charge has this reference.',
    'payment.state === \'held\' ? placeOfHeld(payment) : placeOf(charges.get(payment.reference ?? "Stryker was here!"), stickers),':
      'No charge has this reference.',
    '({ state, payment }) => true && payment && arrived.has(payment.receipt_id),':
      'The payment of a charge that was taken back is held, and names no charge.',
    "({ state, reason, set_aside }) => true && reason === 'already_paid' && !set_aside,":
      'Only what is held has a reason.',
    "const undone = takes.filter(({ reference }) => charges.get(reference).state === 'cancelled');":
      'A take and its charge are kept for as long.',
    'if (false) return [];': 'Without a take that was undone nothing is found; a group has a take, and tills stay.',
    'if (undone.length === 0) return ["Stryker was here"];': 'No line has this take.',
    'const reference = now.get(take.receipt_id) ?? (later === take ? undefined : later.reference);':
      'Each take is among those that are looked through.',
    'return reference ? [{ take, reference }] : ["Stryker was here"];': 'No line has this take.',
    'const till = tills.find(({ till_id }) => till_id === first.till_id);': 'A group has a take.',
    'if ((!first || !last) && !till) return [];': 'A group has a take, and tills stay.',
    'if (false || !till) return [];': 'A group has a take.',
    'if (!first && !last || !till) return [];': 'A group that has a first take has a last one.',
    'if (!first || !last || !till) return ["Stryker was here"];': 'A group has a take, and tills stay.',
    '.filter(({ paid_at }) => true && Date.parse(paid_at) >= fromMs && Date.parse(paid_at) <= toMs)':
      'No time is compared as false.',
    '.toSorted((one, other) => (one.paid_at ?? "Stryker was here!").localeCompare(other.paid_at ?? \'\'));':
      'Those that have no time are filtered out before.',
    '.toSorted((one, other) => (one.paid_at ?? \'\').localeCompare(other.paid_at ?? "Stryker was here!"));':
      'Those that have no time are filtered out before.',
    'if (firstAt === undefined && lastAt === undefined) return { isMore };': 'There are both or neither.',
    'if (false || lastAt === undefined) return { isMore };': 'There are both or neither.',
    'if (firstAt === undefined || false) return { isMore };': 'There are both or neither.',
    "charge.state === 'reversed' ? (charge.payment.amount_pesewas ?? 0) : paidPesewas(charge);":
      'What was taken back had been paid.',
    "({ state, payment }) => state === 'success' || payment && arrived.has(payment.receipt_id),":
      'What is paid has a payment, and the payment of what was taken back names no charge.',
  },
  'shared/money/till/scanned.ts': {
    'if (false) return [];': 'Of what is read then nothing is of a sticker.',
    'if (stickersOf(till).length === 0) return ["Stryker was here"];': 'What is no charge is filtered out.',
    'return isoOf(now() - (OPENED_LIFETIME_SECONDS + 10 / 60) * 1000);':
      'What is older is over, or is found by its payment.',
  },
  'shared/money/till/shift.ts': {
    'throw new PublicError(\'not_found\', "");': 'What is not found is shown as on every page, without these words.',
  },
  'shared/money/till/sticker.ts': {
    'fromMs: Date.parse(since <= live ? since : live),': 'They are the same then.',
    'listPaidAtSticker(outside, till.merchant_id, slug, {}),': 'It reads more, of which the page shows the last.',
    'findTransactions(outside, till.merchant_id, [`link:${slug}`], {}),':
      'It reads more, of which the page shows the last.',
    'const ofAmount = false ? [] : await listOfAmount(outside, till, amountPesewas);':
      'No charge is of an undefined amount.',
    'const ofAmount = amountPesewas === undefined ? ["Stryker was here"] : await listOfAmount(outside, till, amountPesewas);':
      'What is no charge is filtered out.',
    ".filter((charge) => (charge.paid_at ?? charge.created_at) > since || statusOf(outside, charge) === 'pending')":
      'It is about the one millisecond in which a shift begins.',
    '.toSorted((one, other) => (lastOf(one) <= lastOf(other) ? 1 : -1));':
      'Which of two of one moment stands first is open.',
    'throw new PublicError(\'not_found\', "");': 'What is not found is shown as on every page, without these words.',
  },
  'shared/money/till/take.ts': {
    'return began_at >= dayAgo ? began_at : dayAgo;': 'They are the same then.',
    'if (why !== undefined || !isAssignable(receipt)) throw refused(why ?? "");':
      'What is not assignable is gone, which is said before.',
    "throw true ? refused('gone') : error;": 'Nothing else is refused there.',
    '{},': 'Another shift is refused again by the look at it.',
    "const payment = paymentOf({ ...receipt, proof: checked.proof }, { matched_by: 'till', counted_in });":
      'Without its number a payment is held as number_unknown, which no till takes.',
    'if (!goods) throw new PublicError(\'not_found\', "");':
      'What is not found is shown as on every page, without these words.',
  },
  'shared/money/till/till.table.ts': {
    'throw new PublicError(\'not_found\', "");': 'What is not found is shown as on every page, without these words.',
    'return [...former_stickers, ...(false ? [] : [sticker])];':
      'No charge is of an undefined link, and none is stored.',
  },
  'shared/texts/bulk/find-bulk.ts': {
    'return found;': 'All parts are written in one transaction, so none is missing.',
    'return found.filter((one) => true);': 'All parts are written in one transaction, so none is missing.',
  },
  'shared/texts/bulk/personal-texts.ts': {
    'const word = Object.hasOwn(recipient, name) ? (recipient[name] ?? "Stryker was here!").trim() : \'\';':
      'What a recipient has is a string.',
    'if (true) texts.set(key, { to: recipient.to, words, size });': 'What has the same key is the same.',
  },
  'shared/texts/bulk/read-recipients.ts': {
    'return false ? [] : [[name, column] as const];': 'A name without a column is refused a few lines below.',
    'return column === undefined ? ["Stryker was here"] : [[name, column] as const];':
      'A name without a column is refused a few lines below.',
    'const own = words.map(([name, column]) => [name, cells[column] ?? "Stryker was here!"]);':
      'Each line has a cell for each column.',
    'return ["Stryker was here"];': 'With an error nothing of it is given back.',
    "message: `line ${rows[n].line}: ${name === undefined || name === 'to' ? '' : `${name} `}${wrong}`,":
      'What is wrong is wrong in a row that is there.',
  },
  'shared/texts/bulk/results.ts': {
    'const names = placeholdersOf(sends[0]?.send.message ?? "Stryker was here!");': 'This has no placeholder either.',
  },
  'shared/texts/bulk/retry-bulk.ts': {
    'indexes: indexes.filter((index) => !unwanted.has(send.to[index] ?? "Stryker was here!")),':
      'Each text that failed has a recipient.',
    'return indexes.flatMap((index) => to[index] ?? ["Stryker was here"]);': 'Each text that failed has a recipient.',
    "const words = names.map((name, n) => [name, send.words?.[index][n] ?? '']);":
      'A text with placeholders has words for each recipient.',
    "const words = names.map((name, n) => [name, send.words[index]?.[n] ?? '']);":
      'A text with placeholders has words for each recipient.',
    'const words = names.map((name, n) => [name, send.words?.[index]?.[n] ?? "Stryker was here!"]);':
      'A text with placeholders has words for each recipient.',
    'return { ...Object.fromEntries(words), to: send.to[index] ?? "Stryker was here!" };':
      'Each text that failed has a recipient.',
  },
  'shared/texts/verification/verification.table.ts': {
    'const sent_ms = (known?.sent_ms ?? ["Stryker was here"]).filter((ms) => ms > nowMs - DAY_MS);':
      'What is no time is filtered out.',
    'const isDay = Number(current.codes) >= day;': 'The condition is refused by a row that is there alone.',
    'current?.code_hash === code_hash ? new TriedAgain(Number(current.tries)) : new NoCode(),':
      'A row that has the hash is there.',
  },
  'shared/texts/verification/verify-request.ts': { 'code: "",': 'Which kind of fault it is for Zod is in no answer.' },
  'shared/texts/verification/verify.ts': {
    'const NOBODYS_ID = "";': 'No row has this id either.',
    'message.replace(/\\{(\\w+)\\}/g, (_, place) => ({ code, life, name: shown })[String(place)] ?? "Stryker was here!");':
      'A template with another place is refused.',
    'if (false || !isCode({ code_salt, code_hash }, code))': 'The try is refused for a code that has no hash.',
    'if (code_salt === undefined && code_hash === undefined || !isCode({ code_salt, code_hash }, code))':
      'Both are there or neither.',
    'if (false || code_hash === undefined || !isCode({ code_salt, code_hash }, code))': 'Both are there or neither.',
    'if (code_salt === undefined || false || !isCode({ code_salt, code_hash }, code))': 'Both are there or neither.',
    'return { send_id: NOBODYS_ID, merchant_id, to: "Stryker was here!", created_at, valid_until: created_at, tries: 0 };':
      'No number has such a row either.',
  },
  'shared/push/answer-owner.ts': {
    'const { merchant_id, number, line, about, outcome, answered_at = "Stryker was here!" } = question;':
      'What has an outcome was answered at some time.',
    'if (!merchant || merchant.suspended_at || !(outside.now() <= uselessMs)) return;':
      'It is about the one millisecond in which it ends.',
  },
  'shared/push/ask-by-text.ts': {
    'if (false || outside.now() - Date.parse(job.at) > FRESH_MS) return false;': 'No merchant is ever deleted.',
    'if (!merchant || outside.now() - Date.parse(job.at) >= FRESH_MS) return false;':
      'It is about the one millisecond in which it ends.',
    'return false;': 'The notice that would follow was texted already.',
    'return true;': 'What refuses the question refuses the notice that would follow, too.',
    'if (false || !answers_since || !asks || !network) return undefined;': 'Only the notice of a wallet asks anything.',
    'const isOthers = ({ owner = merchantId }: Sender, n: number) => owner !== merchantId || others[n].length;':
      'Each number has its list.',
    'return chooseSender(outside, senders, { merchant_id: "Stryker was here!", from: \'random\' }).number;':
      'Numbers of other shops are left out before.',
    'return chooseSender(outside, senders, {}).number;': 'Where none is named, any is chosen.',
    '} catch (error) {}': 'Nothing else is refused there.',
    'if (true) return undefined;': 'Nothing else is refused there.',
    '{ about, momo_number = "Stryker was here!" }: Asked,': 'What asks about a wallet names it.',
  },
  'shared/push/deliver-push.ts': {
    'throw new RetryLater(seconds, ``);': 'It is for the log alone.',
    'if (!found?.device.subscription && !key) return;':
      'A browser has its subscription, and its page has made the key.',
    'if (false) return;': 'A browser has its subscription, and its page has made the key.',
    "{ endpoint: endpoint.replace(/http:/, 'https:'), expirationTime: null, keys: { p256dh, auth } },":
      'Of an address its beginning alone is signed.',
    'if (true) await outside.table.update(changeDevice(device, { failing_since: undefined }));': 'It is unset already.',
  },
  'shared/push/notice-turn.ts': {
    'if (user.removed_at !== undefined || false) return false;': "A person's shop never changes.",
    'if (outside.now() - Date.parse(job.at) >= USEFUL_SECONDS * 1000) return undefined;':
      'It is about the one millisecond in which it ends.',
    "const reader = { seesBalances: true, seesIds: may(user, 'receipts:assign') };":
      'No notice says what a wallet holds.',
  },
  'shared/events/jobs.ts': {
    'if (receipt_send_id !== undefined || !(await merchantCache.get(outside, merchant_id)).text_receipts) return;':
      'No merchant is ever deleted.',
  },
  'shared/events/occurrences-of.ts': {
    'return after.outcome !== undefined && before.outcome === undefined': 'A question is written before it is decided.',
    "? [{ what: 'claims.limit_reached', momo_number: key.pk.split('#')[1] ?? \"Stryker was here!\" }]":
      'The key of each such row has the number.',
  },
  'shared/events/notifications.ts': {
    'return false ? undefined : { merchant_id, notice };': 'Nobody has a device at no merchant.',
    'return false ? undefined : { momo_number, notice_at, yes_is_enough };': 'The key of each such row has its time.',
  },
  'shared/push/push-key.table.ts': {
    'if (false) return known;': 'The first key stays, and is read again.',
    'return keys.get(outside, "");': 'A stage has one key.',
    'const KEPT_SECONDS = 5 / 60;': 'The key never changes: it is only read more often.',
  },
  'shared/push/words.ts': {
    'return true ? stockWords(link, list) : undefined;': "A notice is of its own merchant's link.",
    "if (goods.state !== 'waiting' && goods?.state !== 'to_release') return undefined;":
      'What is told of has a code to come.',
    "if (goods?.state !== 'waiting' && goods.state !== 'to_release') return undefined;":
      'What is told of has a code to come.',
    'return link.merchant_id === merchant_id ? stockWords(link, list) : undefined;': 'No link is ever deleted.',
    "if (goods.state === 'waiting' && !disputed)": 'What is told of has a code to come.',
    'if (false) return undefined;': "Only a charge of a link waits for a code, and a payment stays its merchant's.",
    'const payer = paymentsOf(charge).at(-1).payer_name ?? customer_name;': 'What people are told of was paid.',
    "if (receipt.state !== 'held' || receipt.set_aside) return undefined;":
      'A payment is kept for longer than its notice waits.',
  },
  'shared/push/text-notice.ts': { 'if (false) return;': 'No merchant is ever deleted.' },
  'shared/money/till/settle-take.ts': {
    'if (false) throw error;': 'The job comes again in any case.',
    'throw new RetryLater(1, "", { cause: error });': 'It is for the log alone.',
    'if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), "");': 'It is for the log alone.',
    "throw new RetryLater(1, 'The charge changed at this moment', {});": 'It is for the log alone.',
  },
  'shared/push/notice-text.table.ts': { 'refused: ``,': 'Its code alone is kept.' },
  'shared/money/link/settle-code.ts': {
    'if (!link.texts_codes || !merchant || merchant.suspended_at || code === undefined) return;':
      'No link is ever deleted.',
    'if (false) return;': 'Its job comes again, and finds it texted.',
    'if (false || send_id !== undefined) return;': 'A code that is given has its number.',
    'if (!link?.texts_codes || !merchant || merchant.suspended_at || false) return;':
      'A number that was drawn has its code.',
  },
  'shared/money/request/remind.ts': {
    'if (customer_phone === undefined) throw new PublicError(\'invalid_request\', "");': 'Its code alone is kept.',
    "const when = until === now ? 'is due today' : until <= now ? `was due ${day}` : `is due ${day}`;":
      'What is due today was said before.',
  },
  'shared/money/request/settle-request.ts': { '{},': 'With fewer tries it is busy sooner, and its job comes again.' },
  'shared/money/request/make-requests.ts': {
    'if (outside.now() - Date.parse(at) >= FINISHED_MS) throw await neverFinished(outside, requests);':
      'It is about the one millisecond in which it ends.',
    'return ["Stryker was here"];': 'Where one is wrong, none is used.',
  },
  'shared/money/request/open-request-charge.ts': {
    'const isOld = charge && Date.parse(charge.expires_at) <= outside.now() - FORGOTTEN_AFTER_MS;':
      'It is about the one millisecond in which it ends.',
    'if (!request) throw new PublicError("", \'There is no payment request with this address.\');':
      'The page finds the request before.',
    'if (!request) throw new PublicError(\'not_found\', "");': 'The page finds the request before.',
    "if (false) throw new PublicError('not_found', 'There is no payment request with this address.');":
      'The page finds the request before.',
    'Date.parse(charge.expires_at) - outside.now() >= WORTH_REUSING_MS,':
      'It is about the one millisecond in which it ends.',
  },
  'shared/money/request/reminder-times.ts': {
    'false ? [] : reminder_days.map((days) => [`${addDays(due, days)}T${time}`, due] as const),':
      'What has reminders has days.',
    'if (false) return undefined;': 'No time comes after none.',
    'return [...untilOf].map(([at, until]) => ({ at, until })).toSorted((one, other) => (one.at <= other.at ? -1 : 1));':
      'No two are at one time.',
  },
  'shared/merchants/user/shared-phone.table.ts': {
    'return expires_at_epoch_seconds * 1000 >= now();': 'It is about the one millisecond in which it ends.',
  },
  'shared/merchants/user/manage-shared-phones.ts': {
    'throw new PublicError("", `A shop can have at most ${MAX_SHARED_PHONES} shared phones. Remove one first.`);':
      'The page shows its words.',
    'throw new NoSuch("", \'This is no longer a shared phone.\');':
      'Only the command line reads the noun, and it shows no phone.',
    'throw new NoSuch(\'shared phone\', "");': 'What is not found is shown as on every page, without these words.',
    'if (false) return [];': 'Whoever belongs to no shop is on no phone.',
    'if (merchant_id === undefined) return ["Stryker was here"];': 'Whoever belongs to no shop is on no phone.',
  },
  'shared/texts/conversation/conversation.table.ts': {
    'return true && isTestAccount(merchant_id) ? merchant_id : from;': 'What is of no merchant is no test.',
    '{ wrote_by, wrote_at = "Stryker was here!", wrote_id }: Conversation,': 'Who wrote did so at some time.',
    'if (false || !isRecent(wrote_at, receivedMs)) return undefined;':
      'Where nobody wrote there is no time, which is not recent.',
    'export function promotersOf({ promoters = ["Stryker was here"] }: Conversation, { receivedMs }: Came): string[] {':
      'What has no time is not recent.',
    "export function cameBefore({ heard = [\"Stryker was here\"] }: Conversation, text: Heard): 'posted_again' | 'same_words' | undefined {":
      'It has no words that another text could have.',
    'export function isFull({ now }: Clock, { heard = ["Stryker was here"] }: Conversation, isKeyword: boolean): boolean {':
      'What has no time is not of today.',
    'const { line, number, heard = ["Stryker was here"] } = conversation;': 'What has no time is not kept.',
  },
  'shared/texts/inbox/act-on-keyword.ts': {
    'const meant = [...new Set([...(stop?.ended ?? ["Stryker was here"]), ...(owner ? [owner.merchant_id] : [])])];':
      'Nobody has opted out of a merchant that is not there.',
    'const meant = [...new Set([...(stop?.ended ?? []), ...(owner ? [owner.merchant_id] : ["Stryker was here"])])];':
      'Nobody has opted out of a merchant that is not there.',
  },
  'shared/texts/inbox/confirm-keyword.ts': {
    'const { merchant_id = "Stryker was here!", number, to } = heard;': 'What has a job has a merchant.',
  },
  'shared/texts/inbox/receive-answer.ts': {
    "const same = words.normalize('NFKC').replace(/\\s/g, '').toUpperCase();": 'Either case is one.',
  },
  'shared/texts/conversation/opt-out.table.ts': {
    'const [first = "Stryker was here!", ...others] = optedOut;': 'It is asked where somebody has opted out.',
  },
  'shared/money/request/sums.ts': {
    'const paid_at = paid_pesewas > 0 ? (charge.paid_at ?? paymentsOf(charge).at(-1).received_at) : undefined;':
      'Of what something was paid there is a payment.',
  },
  'shared/money/request/request.ts': {
    'const parts = (instalments ?? ["Stryker was here"]).map((one) => ({ due: one.due, amount_pesewas: one.amount }));':
      'Where no instalments were asked for, the parts are not used.',
    "if (request.state === 'cancelled' || request.instalments[0].due === undefined) return false;":
      'A request has at least one instalment.',
    'due: (isOpen && instalments.find(one => one.paid_pesewas < one.amount_pesewas).due) || null,':
      'Of a request that is open, something of an instalment is not paid.',
  },
  'shared/money/request/schedule.ts': {
    'for (let n = 0; days.length <= most; n++) {': 'Whoever asks takes one less, and refuses more.',
  },
  'shared/wallets/wallet/note-silence.ts': {
    'for (const number of silent)': 'What is written down already is refused without a word.',
  },
};
