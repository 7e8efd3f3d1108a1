import { sha256Bytes } from '../../runtime/values/sha256.ts';

/** Common words in the networks' texts that identify nobody. */
const NETWORKS_WORDS = new Set(
  (
    'a account airtel airteltigo amount and at atmoney available balance been bank by cash charge charged completed confirmed current daily date ' +
    'debit deposit e-levy elevy external failed fee fees financial for from fund funds ghana ghs gh go has have here id in is limit local ' +
    'merchant mobile mobilemoney mk momo money mtn my network new no not of on or out own paid pay payment payments received ref reference ' +
    'reversed reversal send sender sent service successful successfully tax tel telecel the to total transaction transfer transferred type ' +
    'until vodafone wallet was will with withdrawn you your message code confirmation please sms dial download app click now via number name time'
  ).split(' '),
);

const NAMES = ['AKUA', 'KOFI', 'ESI', 'YAW', 'ADWOA', 'KWAKU', 'EFUA', 'KOJO'];

/**
 * Replaces names, numbers, ids and amounts in a text with invented ones, so that the text can be shared. Numbers keep
 * their length, and names keep their upper or lower case. Equal words get equal replacements. Unknown words are treated
 * as personal data.
 */
export function sampleOfText(text: string): string {
  const invented = new Map<string, string>();
  const once = (written: string, make: () => string) => {
    const known = invented.get(written) ?? make();
    invented.set(written, known);
    return known;
  };
  const digitAt = (n: number) => (sha256Bytes(`${invented.size} ${n}`)[0] ?? 0) % 9;
  const digits = (run: string) => once(run, () => [...run].map((_, n) => 1 + digitAt(n)).join(''));
  const word = (one: string) => {
    if (NETWORKS_WORDS.has(one.toLowerCase())) return one;
    return once(one.toLowerCase(), () => inventedName(invented.size, one));
  };
  return text
    .replace(/(?<!\S)\S[^\s@]*@\S+|https?:\/\/\S+/gi, 'example.com')
    .replace(/\p{N}+|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu, (one) => (/^\p{N}/u.test(one) ? digits(one) : word(one)));
}

function inventedName(n: number, like: string): string {
  const name = NAMES[n % NAMES.length] ?? 'AKUA';
  if (like === like.toUpperCase()) return name;
  return like[0] === like[0]?.toUpperCase() ? `${name[0]}${name.slice(1).toLowerCase()}` : name.toLowerCase();
}

const MAX_SHAPE_CHARACTERS = 400;

/**
 * Returns a text without personal data: the networks' words in lower case, `#` for each number and `X` for anything
 * else. Removes `secrets` first, because a name may consist of words that networks use.
 */
export function shapeOfText(text: string, secrets: readonly (string | undefined)[]): string {
  // Ignore secrets without letters: numbers are replaced anyway.
  const hidden = secrets.flatMap((secret = '') => (/\p{L}/u.test(secret) ? [secret] : []));
  const longestFirst = hidden.toSorted((one, other) => other.length - one.length);
  const bare = longestFirst.reduce((left, secret) => left.replace(inAnySpacing(secret), ' § '), text);
  const parts =
    bare.match(
      /\p{Nd}+(?:[.,:/-]\p{Nd}+)*|[\p{L}\p{M}_](?:[\p{L}\p{M}_'’-]*[\p{L}\p{M}_])?|[.,:;()]|[^\s\p{L}\p{N}.,:;()]+/gu,
    ) ?? [];
  return parts
    .map((part) => {
      if (/^[.,:;()]$/.test(part)) return part;
      if (/^\p{Nd}/u.test(part)) return '#';
      return /^[a-z-]+$/i.test(part) && NETWORKS_WORDS.has(part.toLowerCase()) ? part.toLowerCase() : 'X';
    })
    .join(' ')
    .replace(/\bX(?: X)+\b/g, 'X')
    .slice(0, MAX_SHAPE_CHARACTERS);
}

/** Matches a secret in any case and with any spaces: a stored name has single spaces, its text may have more. */
function inAnySpacing(secret: string): RegExp {
  const literal = secret.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(literal.replace(/\s+/g, String.raw`\s+`), 'giu');
}
