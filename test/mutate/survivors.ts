/** The changes that no test can notice: by file, and by the line as it reads with the change, why it changes nothing. */
export const survivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shared/merchants/user/pin.ts': {
    'const COST = {};': 'Node has the same numbers where none are given.',
    'const hash = await slowHash(typed, pin?.salt ?? "Stryker was here!", phoneKey);':
      'Where there is no PIN the hash is made for the time that it takes, and thrown away.',
    'const steps = digits.slice(1).map((digit, n) => (digit - (digits[n] ?? 0) - 10) % 10);':
      'Steps are compared with each other alone: ten less is the same step, below zero.',
  },
  'shared/merchants/user/shared-phone.ts': {
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? "Stryker was here!") ?? [];':
      'This is no cookie of a phone either.',
    'const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? \'\') ?? ["Stryker was here"];':
      'The first of what is found is not used.',
    'return merchant_id && phone_id && key || secret ? { merchant_id, phone_id, key, secret } : undefined;':
      'A cookie has all four or none.',
  },
  'shared/merchants/user/sign-in-with-pin.ts': {
    'const [, merchant_id, phone_id] = LINK.exec(token) ?? ["Stryker was here"];':
      'The first of what is found is not used.',
    'const phone = merchant_id || phone_id ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;':
      'A link has both or neither.',
    'throw new NoSuch("", \'This link was used, or is too old. Ask the owner for another one.\');':
      'Only the command line reads the noun, and it opens no link.',
    'throw new NoSuch(\'link\', "");': 'What is not found is shown as on every page, without these words.',
    'const LINK = /(\\w{26})\\.(\\w{26})\\.[\\w-]{43}$/;': 'The hash is of the whole token.',
    'const LINK = /^(\\w{26})\\.(\\w{26})\\.[\\w-]{43}/;': 'The hash is of the whole token.',
    'return isRight ? on.pin : undefined;': "A PIN that is right is a person's who is on the phone.",
    'const isRight = timingSafeEqual(Buffer.from(hashOf(code)), Buffer.from(given?.hash ?? hashOf("Stryker was here!")));':
      'Where no code was given, none is open.',
  },
  'shared/money/link/hand-out.ts': {
    'return true && charge.link_code !== undefined;': 'Only a charge of a link has a code.',
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
    'export async function listCodes({ table }: TableOutside, { slug, codes_removed = ["Stryker was here"] }: Link): Promise<string[]> {':
      'No number is between these two letters.',
    'return createItem(block, () => undefined);': "The link's row is changed in the same transaction, and refuses it.",
    'return createItem({ ...waitKey(charge), reference: charge.reference }, () => undefined);':
      "The link's row is changed in the same transaction, and refuses it.",
    'refused: () => undefined,': "The link's row is changed in the same transaction, and refuses it.",
    'const items = await table.list(waitPartition(slug), {});': 'The first alone is used.',
  },
  'shared/texts/bulk/accept-bulk.ts': {
    'await refuseUnwanted(outside, { ...send, to: rows }, (n) => request.errorAt(n, \'to\', "Stryker was here!").field);':
      'Of what it makes the field alone is used.',
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
    'const isDay = Number(current.codes) >= MAX_CODES_OF_MERCHANT.day;':
      'The condition is refused by a row that is there alone.',
    'current?.code_hash === code_hash ? new TriedAgain(Number(current.tries)) : new NotValid(),':
      'A row that has the hash is there.',
  },
  'shared/texts/verification/verify-request.ts': {
    'code: "",': 'Which kind of fault it is for Zod is in no answer.',
  },
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
};
