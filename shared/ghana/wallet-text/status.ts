import { lazy } from '../../runtime/values/lazy.ts';
import { readableWords } from './latin.ts';

/**
 * Words which mean that a payment failed or is incomplete. Checked wherever other words may be ignored and no balance
 * verifies the text. Participles and verb phrases are in `PREDICATES` and `PREDICATE`.
 */
const STATE = [
  'pend(?:ing)?|fail(?:s|ed|ing|ures?)?|declin\\p{L}*|cancel(?:s|l?ed|l?ing|l?ations?)?|await(?:s|ed|ing)?|wait(?:s|ing)?|held|holds?',
  'unsucc?ess?full?(?:y)?|reject\\p{L}*|expir(?:e[ds]?|y|ing)|request(?:s|ed|ing)?|blocked|frozen(?!\\s+foods(?!\\p{L}))|revers\\p{L}*',
  'refund\\p{L}*|return(?:s|ed|ing)|disput\\p{L}*|contest(?:s|ed|ing)|bounc(?:e[ds]?|ing)|process(?:ed|ing)|queued?|unpaid|invalid|errors?',
  'confirm\\p{L}*|accept(?:ed|ance)?|complet(?:ed|ion)|verif\\p{L}*|withdrawn|withdrew|withheld|stuck|undone|(?:charge|claw|roll)[\\s-]*backs?',
  'fraud\\p{L}*|provisional(?:ly)?|tomorrow|later|overdue|outstanding|mistaken?(?:ly)?|wrong(?:ly)?|settl(?:e[ds]?|ing|ement)|under\\s?way',
  'reply|complain\\p{L}*|quer(?:y|ies|ied)|suspicious|attempt(?:s|ed)?|null|inactive|unsent|repaid|on-?going|trying|limit',
].join('|');

/** Statuses of several words, such as `in transit`. */
const PHRASE = [
  'in[\\s-]+(?:abeyance|arrears|progress|transit|suspense|dispute|escrow|process|limbo|(?:the\\s+)?queue)|en\\s+route|at\\s+risk|half\\s+done|a\\s+duplicate',
  'under\\s+(?:lien|audit|appeal|enquiry|inquiry|embargo|review|investigation|dispute|scrutiny)|(?:no|low|lacks|insufficient)\\s+(?:funds|money|cash|balance|credit|response|network)',
  'to\\s+(?:be|pay|follow|come|arrive|clear|collect|receive|send)|subject\\s+to|not\\s+yet(?:\\s+\\p{L}+ed)?|asks?|needs|requires',
  '\\d+\\s*(?:hours?|hrs?|minutes?|mins?|days?)',
].join('|');

/** Requests to the recipient. Payers also type these, so they are not a status on their own. */
const ASKED = 'please|until|once|dial(?!\\s+\\*\\d+#\\s+to\\s+(?:win|buy|enjoy)(?!\\p{L}))';

const AUXILIARY =
  "(?:(?:ca|wo|did|does|do|was|is|are|were|has|have|had|would|should|could|must)nt|is|are|was|were|has|have|had|will|shall|would|should|could|can|must|may|might|does|did|do|cannot|\\p{L}+n['’]t)";
/** Matches verb phrases such as `is not`, `will be` and `has gone`. */
const PREDICATE = `${AUXILIARY}\\s+(?:been|being|be|not|now|still|yet|also|only|to|on|in|under|due|\\p{L}{2,}(?:ed|ing|ly))`;

/** Names and words in names that look like participles. */
const NO_PARTICIPLE = [
  '\\p{L}*(?:fred|dred|eed|h[ae]?m+ed)|abdul\\p{L}*|obed|abed|jared|khaled|javed|naved|say+ed|syed|zayed|majed|wahed|rashed|samed|jawed|kaled|mujahed',
  'shahed|zahed|fahed|m?amed|sai?ed|raed|maged|waled|rached|seyed|abdelwahed|foued|ayed|blessed|redeemed|united|limited',
].join('|');
const PARTICIPLE = `(?!(?:${NO_PARTICIPLE})(?!\\p{L}))\\p{L}{2,}ed`;

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';

/** Other statements about the payer or the money, such as `claim now`. */
const PREDICATES = [
  'no\\s+\\p{L}+|without|nothing|(?<!born\\s)again|back|soon|out\\s+of|lost|missing|contact',
  `next\\s+(?:week|month|time|year)|(?!fri|sun)${DAY}`,
  `${PARTICIPLE}|not|never|paid|pin`,
  'due|payable|conditional(?:ly)?|(?:in|up|forth)coming|stand[\\s-]?by|sender|wants?\\s+(?:money|it)',
  '(?:claim|collect)\\s+now|(?:claim|collect|sign|puts?|takes?|took|gave|get)\\s+it|(?:the|your)\\s+money',
  '(?!bless|love|thank|always|this|jesus)\\p{L}{2,}s\\s+(?:for\\s+|from\\s+|to\\s+)?your?',
].join('|');

/** Auxiliary verbs after a name. At the start, they are part of the name, as in `WILL HASFORD`. */
const AS_VERB = `(?!may\\s)${AUXILIARY}(?=\\s+\\p{L})`;
const VERB = `(?:will|shall|may|can|must)\\s+(?:pay|follow|come|arrive|reach|take|send|give|get|go|need|expire|end)`;

/** Words that are a status after a name, but goods or a purpose in a reference, such as `200 blocks`. */
const BEHIND_NAME = [
  'revert(?:s|ed|ing)?|return(?!\\s+to\\s+(?:god|jesus|christ)(?!\\p{L}))|void(?:s|ing)?|abort(?:ing)?|delay(?:s|ing)?|suspens\\p{L}*',
  'check(?:s|ing)?|claim(?:s|ing)?|block(?:ing)?|stop(?:s|ping|pages?)?|retract\\p{L}*|undo(?:es|ing)?',
  'retries|investigat\\p{L}*|escrow',
  'embargo(?:e[ds])?|doubtful|uncertain|ineligible|non[\\s-]?payment|shortfall|overdraft|tb[ac]|pendin|pnding',
  'in\\s+doubt|on\\s+(?:credit|loan)|(?:wallet|account)\\s+full|kept\\s+by|collect\\s+at|sign\\s+in',
  DAY,
].join('|');

const word = (pattern: string, group = '?:') => `(?<![\\p{L}\\p{N}])(${group}${pattern})(?!\\p{L})`;
const STATUS = `${word(`${STATE}|${PHRASE}|${PREDICATE}|${ASKED}|${VERB}|${PREDICATES}`)}|${word(AS_VERB, '?<verb>')}`;
const status = lazy(() => new RegExp(STATUS, 'giu'));
const nameStatus = lazy(() => new RegExp(`${word(BEHIND_NAME)}|${STATUS}`, 'giu'));
const stateAlone = lazy(() => new RegExp(word(`${STATE}|${PHRASE}|${ASKED}`), 'iu'));

/** Words that payers type as the purpose of a payment. */
const PURPOSE = 'refund|returns|requests?|errors?|tomorrow|outstanding|settlement|approval|verification';
const TYPED_STATE = word(`(?!(?:${PURPOSE})(?!\\p{L}))(?:${STATE}|${PHRASE})`);
/** Excludes `I have paid` and `we have paid`, which only payers write. */
const TYPED_PREDICATE = `(?<!(?<!\\p{L})(?:i|we)\\s)${word(PREDICATE)}`;
/** Matches the end of a text, or `by` and a party at the end, as in `by the sender`. */
const TYPED_END = `(?:\\s+by\\s+(?:the\\s+)?(?:sender|payer|customer|network|mtn|telecel))?[^\\p{L}\\p{N}]*$`;
const typedStatus = lazy(
  () => new RegExp(`${TYPED_PREDICATE}|${TYPED_STATE}(?:${TYPED_END}|.*${word(PURPOSE)}${TYPED_END})`, 'iu'),
);
const sentenceStatus = lazy(() => new RegExp(`${TYPED_PREDICATE}|${TYPED_STATE}|${word('not|never')}`, 'iu'));

/**
 * True if the end of a reference may be a payment status from the network. Pass `asSentence` for words after the
 * reference.
 */
export function mayBeStatus(typed: string, asSentence: boolean): boolean {
  return (asSentence ? sentenceStatus() : typedStatus()).test(readableWords(typed));
}

/**
 * Statements that a payment has not arrived or was taken back. A balance cannot refute them. Adverts rarely contain these
 * forms: they warn of fraud and offer to cancel, but do not say that something was cancelled.
 */
const DENIAL = [
  'reversed|reverted|reversal\\s+(?:of|has|is|was|pending)|cancell?ed|cancellation|failed|declined|rejected|refused|refunded|denied|disputed',
  'pending|un(?:success\\p{L}*|confirmed|approved|cleared|paid)|voided|withdrawn|withheld|recalled|retracted|suspended|frozen|blocked|bounced',
  'aborted|terminated|incomplete|held|on\\s+hold|fraudulent|await\\p{L}*|in\\s+error|by\\s+mistake|wrongly|insufficient|debited|deducted',
  '(?:taken|took|rolled|charged|sent|given|went|paid|gone)\\s+back|returned|under\\s+(?:review|investigation)|is\\s+not\\s+a',
  'to\\s+be\\s+(?:\\p{L}+\\s+)?(?:confirmed|approved|completed|credited)',
  "(?:not|never|n['’]t|cannot|no\\s+longer)\\s+(?:\\p{L}+\\s+){0,2}(?:complet|credit|receiv|success|arriv|paid|sent|final|approv|confirm|process|clear|settl|valid|genuine|through|yet)\\p{L}*",
].join('|');
const denial = lazy(() => new RegExp(word(DENIAL), 'iu'));

/** True if words of a network, outside its sentence, may deny the payment or say that it was taken back. */
export function denies(outside: string): boolean {
  return denial().test(readableWords(outside));
}

/** True if a text may say that a payment failed or is incomplete. */
export function mentionsStatus(text: string): boolean {
  return readableWords(text).search(status()) >= 0;
}

/** True if a payer's name may contain a status, even a hyphenated one (`pen-ding`). A verb may begin a name. */
export function mayEndWithStatus(name: string): boolean {
  const words = readableWords(name);
  if (stateAlone().test(words.replace(/(?<=\p{L})-(?=\p{L})/gu, ''))) return true;
  const first = /^\S*/.exec(words)?.[0].length ?? 0;
  return [...words.matchAll(nameStatus())].some(({ index, groups }) => groups?.verb === undefined || index >= first);
}

export function holdsState(name: string): boolean {
  return stateAlone().test(readableWords(name));
}
