import { plainText } from '../../runtime/values/plain-text.ts';

export const keywords = ['stop', 'start', 'help'] as const;
export type Keyword = (typeof keywords)[number];

/**
 * Keywords in capitals, without spaces. CANCEL, END, QUIT and YES are not keywords: they may be replies about an
 * appointment.
 */
const WORDS: Readonly<Record<Keyword, readonly string[]>> = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'OPTOUT'],
  start: ['START', 'UNSTOP', 'SUBSCRIBE', 'OPTIN'],
  help: ['HELP', 'INFO'],
};

/**
 * Returns the keyword in a text, ignoring case, spaces, quotes, punctuation and "please". The keyword must be the whole
 * text or its first line. `stopWords` are the merchant's own stop words.
 */
export function keywordOf(text: string, stopWords?: readonly string[]): Keyword | undefined {
  const lines = [text, text.trim().split(/[\r\n]/, 1)[0] ?? ''].map(wordsOf);
  if (lines.some((words) => asksToStop(words, stopWords))) return 'stop';
  return keywords.find((keyword) => lines.some((words) => WORDS[keyword].includes(words.join(''))));
}

function asksToStop(words: readonly string[], stopWords: readonly string[] = []): boolean {
  const whole = words.join('');
  if (stopWords.some((own) => wordsOf(own).join('') === whole)) return true;
  if (/^(REMOVE|DELETE)(ME|MYNUMBER)(FROM(YOUR|THE|THIS)?LIST)?$|^TAKEMEOFF(YOUR|THE|THIS)?(LIST)?$/.test(whole))
    return true;
  const isStop = (word: string | undefined) => WORDS.stop.some((stop) => stop === word);
  if (!isStop(words[0])) return false;
  const [, next = 'STOP'] = words;
  if (isStop(next) && words.every(isStop)) return true;
  const isOfMessages = words.some((word) => MESSAGES.test(word));
  if (words.length > MAX_WORDS_OF_STOP) return isOfMessages && ASKS_TO_STOP.test(next);
  return !PLACE_OR_TIME.test(next) && (isOfMessages || !OTHER_THING.test(words.join(' ')));
}

/** Maximum number of words in a short opt-out request such as "Stop texting me". */
const MAX_WORDS_OF_STOP = 3;
const PLACE_OR_TIME = /^(AT|BY|IN|ON|NEAR|OVER|BEFORE|AFTER|OPPOSITE|BEHIND|AND|HERE|THERE)$/;
/** A short text about something other than messages, such as "Stop the car" or "Stop all orders". */
const OTHER_THING =
  /^STOP (?:(?:THE|ALL|MY|OUR|AN?) (?!ADS?\b|OFFER|NOTIF|UPDATE|CALL|E?MAIL|MARKET|NEWS|SUBSCR|NONSENSE|RUBBISH|TH(?:IS|AT|ESE|ANK)|NOW\b|IT\b)|(?:WORK|ORDERS?|DELIVER(?:Y|IES)|PAYMENTS?)\b)/;
/** Second word of a longer opt-out request, such as "Stop sending me these messages". */
const ASKS_TO_STOP = /ING$|^(THE|THESE|THIS|ALL|ANY|YOUR|UR)$/;
const MESSAGES = /^(MESSAGE|MSG|TEXT|SMS|ADVERT|PROMO|ALERT|SPAM)|^(MESSAG|TEXT|SPAMM|CONTACT|DISTURB)ING$/;
const POLITE: readonly string[] = ['PLEASE', 'PLS'];

function wordsOf(text: string): string[] {
  const words = plainText(text)
    .toUpperCase()
    .matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
  return [...words].map(([word]) => word).filter((word) => !POLITE.includes(word));
}

const MAX_STOP_WORDS = 10;
const MAX_WORD_CHARACTERS = 20;

/** Parses a merchant's stop words, separated by commas or line breaks. Returns an error message if they are invalid. */
export function parseStopWords(written: string): string[] | string {
  const words = [...new Set(written.split(/[,;\n]/).flatMap((word) => word.trim().toUpperCase() || []))];
  if (words.length > MAX_STOP_WORDS) return `must be at most ${MAX_STOP_WORDS} words`;
  const bad = words.find((word) => word.length > MAX_WORD_CHARACTERS || !/\p{L}/u.test(word));
  if (bad !== undefined) return `must be words of at most ${MAX_WORD_CHARACTERS} letters, but "${bad}" is not one`;
  const taken = words.find((word) =>
    (['start', 'help'] as const).some((one) => WORDS[one].includes(wordsOf(word).join(''))),
  );
  return taken === undefined ? words : `must not contain ${taken}, which has another meaning`;
}
