import { lazy } from '../../runtime/values/lazy.ts';
import { readableWords } from './latin.ts';

/** Words which mean that a payment failed or is incomplete. Checked wherever other words may be ignored. */

const STATE = [
  'pend(?:ing)?|fail(?:s|ed|ing|ures?)?|declin\\p{L}*|cancel(?:s|l?ed|l?ing|l?ations?)?|await(?:s|ed|ing)?|wait(?:s|ing)?',
  'unsucc?ess?full?(?:y)?|reject\\p{L}*|den(?:y|ied|ies|ial)|refus(?:e[ds]?|al)|expir(?:e[ds]?|y|ing)|request(?:s|ed|ing)?',
  'blocked|suspended|frozen(?!\\s+foods(?!\\p{L}))|locked|revers\\p{L}*|refund\\p{L}*|return(?:s|ed|ing)|disput\\p{L}*|contest(?:s|ed|ing)|void(?:ed)?|abort(?:s|ed)?|abandoned',
  'bounc(?:e[ds]?|ing)|time-?out|time[ds]?\\s+out|process(?:ed|ing)|queued?|initiat(?:e[ds]?|ing|ion)|scheduled|delayed|incomplete|unpaid',
  'un(?:confirmed|approved|verified|collected|claimed|settled|cleared|able|available|known)|invalid|errors?|erroneous\\p{L}*',
  'approv\\p{L}*|authori[sz]\\p{L}*|insufficient|confirm\\p{L}*|accept(?:ed|ance)?|complet(?:ed|ion)|verif\\p{L}*|held|withheld',
  'stopped|halted|withdrawn|stuck|undone|deferred|postponed|recalled|(?:charge|claw|roll)[\\s-]*backs?|fraud\\p{L}*|duplicate[ds]?',
  'provisional(?:ly)?|tentative(?:ly)?|tomorrow|later|overdue|outstanding|ow(?:es|ing)|offline|mistaken?(?:ly)?|wrong(?:ly)?|partial(?:ly)?',
  'settl(?:e[ds]?|ing|ement)|clear(?:s|ing(?!\\s+(?:agents?|and\\s+forwarding)(?!\\p{L}))|ance)|exceed(?:s|ed|ing)?|laps(?:es?|ed)|under\\s?way|reply',
  'complain\\p{L}*|quer(?:y|ies|ied)|suspicious|suspect(?:s|ed)?|attempt(?:s|ed)?|null|inactive|dormant|unsent|repaid|on-?going',
  'withdrew|trying|tries|holds?|limit',
].join('|');

/** Statuses of several words, such as `on hold`. */
const PHRASE = [
  'in[\\s-]+(?:abeyance|arrears|progress|transit|suspense|dispute|escrow|process|limbo|(?:the\\s+)?queue)|en\\s+route|at\\s+risk|half\\s+done|on[\\s-]+(?:hold|ice|(?:the|its|their)\\s+way)',
  'under\\s+(?:lien|audit|appeal|enquiry|inquiry|embargo|review|investigation|dispute|scrutiny)|(?:no|low|lacks|insufficient)\\s+(?:funds|money|cash|balance|credit|response|network)',
  'to\\s+(?:be|pay|follow|come|arrive|clear|collect|receive|send)|yet\\s+to|due\\s+to|subject\\s+to|not\\s+yet(?:\\s+\\p{L}+ed)?|within\\s+\\d',
  '\\d+\\s*(?:hours?|hrs?|minutes?|mins?|days?)|(?:go(?:es|ne|ing)?|went|sent|taken|given|kept)\\s+(?:through|back)',
  'asks?|asking|needs|requires|wants?\\s+to|would\\s+like|demands|lacks|expects|intends|promises|awaits|enter\\s+(?:your\\s+)?pin',
].join('|');

/** Requests to the recipient. Payers also type these, so they are not a status on their own. */
const ASKED =
  'please|pls|kindly|until|unless|once|review|retry|try\\s+again|dial(?!\\s+\\*\\d+#\\s+to\\s+(?:win|buy|enjoy)(?!\\p{L}))';

const AUXILIARY =
  "(?:(?:ca|wo|did|does|do|was|is|are|were|has|have|had|would|should|could|must)nt|is|are|was|were|has|have|had|will|shall|would|should|could|can|must|may|might|does|did|do|cannot|\\p{L}+n['’]t)";
const MADE = 'sent|held|lost|gone|done|paid|made|put|taken|given|kept|due|void|late|wrong|incorrect';
/** Matches verb phrases such as `is not`, `will be` and `has gone`. */
const PREDICATE = `${AUXILIARY}\\s+(?:been|being|be|not|now|still|yet|also|only|to|on|in|under|${MADE}|\\p{L}{2,}(?:ed|ing|ly))|did\\s*not`;

/** Names and words in shop names that look like participles. */
const NO_PARTICIPLE = [
  '\\p{L}*(?:fred|dred|eed|h[ae]?m+ed)|abdul\\p{L}*|obed|abed|jared|khaled|javed|naved|say+ed|syed|zayed|majed|wahed|rashed|samed|jawed|kaled|mujahed',
  'shahed|zahed|fahed|sacred|wicked|naked|blessed|anointed|favou?red|gifted|talented|redeemed|united|limited|exalted|beloved|loved',
  'incorporated|registered|certified|advanced|inspired|renewed|sanctified|cherished|god(?:loved|blessed)',
  'm?amed|sai?ed|raed|maged|waled|rached|seyed|abdelwahed|foued|ayed',
].join('|');
const PARTICIPLE = `(?!(?:${NO_PARTICIPLE})(?!\\p{L}))\\p{L}{2,}ed`;

/** Excludes Sunday and Friday, which are common names. */
export const DAY = 'monday|tuesday|wednesday|thursday|saturday';
const ANY_DAY = `(?:${DAY}|sunday|friday)`;
/** Words before a weekday that say when money arrives, as in `arrives here Friday`. */
const BEFORE_DAY = [
  'on|by|till|until|next|this|every|from|for|at|in|to|as\\s+of|before|after|since|last|latest|only|early|late|today|now',
  'due|payable|ready|back|available|valid|effective|eta|value|date|time|money|payment|payout|delivery|call|you|it|us',
  '(?:com|arriv|releas|matur|resum|mov)(?:e|es|ing)|start(?:s|ing)|(?:check|claim|credit|transfer)s?|goes|gets',
  '(?:land|post|follow|unlock|open|pay|send|collect|clear|drop|fall|appear|show)(?:s|ing)?|reach(?:es|ing)?',
  '(?:expect|hit|debit|end|begin|unblock)s?|(?:resolv|activat)es?|finish(?:es)?|done|sent|go|live|active|free[sd]?|be|wef|cob|eod',
  'maybe|probably|likely|perhaps|earliest|soonest|same|the|that|some|any|each|most|week|noon|til|untill|pick\\s*up',
  'collection|cash|holiday|working|business|with\\s+effect',
].join('|');
const AFTER_DAY =
  'morn|morning|afternoon|evening|night|noon|latest|only|at|by|to|or|till|before|after|next|maybe|live|posting|delivery|week|[ap]m|\\d\\w*';

/** Other statements about the payer or the money, such as `claim now`. */
const PREDICATES = [
  'no\\s+\\p{L}+|without|nothing|(?<!born\\s)again|back|soon|out\\s+of|lost|missing|contact|support',
  `(?:on|by|till|until|this|next|come|from)\\s+(?:${DAY}|sunday|friday)|next\\s+(?:week|month|time|year)|${DAY}`,
  `${PARTICIPLE}|not|never|paid|pays|paying|pay\\s+(?:it|this|now|him|her|them|the)|pin`,
  'due|payable|conditional(?:ly)?|(?:in|up|forth)coming|stand[\\s-]?by|aside|sender|wants?\\s+(?:money|it)',
  '(?:claim|collect)\\s+now|(?:claim|collect|sign|puts?|takes?|took|gave|get)\\s+it|it\\s+(?:sits|is\\s+(?:at|in|with))|(?:the|your)\\s+money',
  '(?!bless|love|thank|always|this|jesus)\\p{L}{2,}s\\s+(?:for\\s+|from\\s+|to\\s+)?your?',
].join('|');

/** Auxiliary verbs after a name. At the start, they are part of the name, as in `WILL HASFORD`. */
const AS_VERB = `(?!may\\s)${AUXILIARY}(?=\\s+\\p{L})|may(?=\\s+(?:not|have|only|be)(?!\\p{L}))`;
const VERB = `(?:will|shall|may|can|must)\\s+(?:pay|follow|come|arrive|reach|take|send|give|get|go|need|expire|end)`;

/** Words that are a status after a name, but goods or a purpose in a reference, such as `200 blocks`. */
const BEHIND_NAME = [
  'pend(?:s|ed)?|revert(?:s|ed|ing)?|return(?!\\s+to\\s+(?:god|jesus|christ)(?!\\p{L}))|void(?:s|ing)?|abort(?:ing)?|terminat\\p{L}*|delay(?:s|ing)?|suspens\\p{L}*|suspend(?:s|ing)?',
  'check(?:s|ing)?|claim(?:s|ing)?|block(?:ing)?|stop(?:s|ping|pages?)?|revok\\p{L}*|revocation|retract\\p{L}*|undo(?:es|ing)?',
  'retries|retrying|investigat\\p{L}*|escrow',
  'embargo(?:e[ds])?|doubtful|uncertain|unsure|ineligible|non[\\s-]?payment|shortfall|overdraft|tb[ac]|pendin|pnding',
  'in\\s+doubt|on\\s+(?:credit|loan)|(?:wallet|account)\\s+full|kept\\s+by|collect\\s+at|sign\\s+in',
  `(?:${BEFORE_DAY})[^\\p{L}](?:.*[^\\p{L}])?${ANY_DAY}|${ANY_DAY}\\s+(?:${AFTER_DAY})`,
].join('|');

const word = (pattern: string, group = '?:') => `(?<![\\p{L}\\p{N}])(${group}${pattern})(?!\\p{L})`;
const STATUS = `${word(`${STATE}|${PHRASE}|${PREDICATE}|${ASKED}|${VERB}|${PREDICATES}`)}|${word(AS_VERB, '?<verb>')}`;
const status = lazy(() => new RegExp(STATUS, 'giu'));
const nameStatus = lazy(() => new RegExp(`${word(BEHIND_NAME)}|${STATUS}`, 'giu'));
const stateAlone = lazy(() => new RegExp(word(`${STATE}|${PHRASE}|${ASKED}`), 'iu'));
const firstState = lazy(
  () =>
    new RegExp(
      `^(?:${word(`${STATE}|${BEHIND_NAME}|${PARTICIPLE}`)}|${word(`${ASKED}|not|never|no|without|back`, '?<asked>')})`,
      'iu',
    ),
);

/** Words that payers type as the purpose of a payment. */
const PURPOSE =
  'refund|returns|requests?|errors?|later|tomorrow|outstanding|partial(?:ly)?|clearance|settlement|completion|confirmation|acceptance|approval|verification|\\d+ *days?';
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

/** True if a text may say that a payment failed or is incomplete. */
export function mentionsStatus(text: string): boolean {
  return readableWords(text).search(status()) >= 0;
}

/**
 * Returns the words after each status in a payer's name. Returns an empty string for a hyphenated status (`pen-ding`).
 */
export function behindStatuses(name: string): string[] {
  const words = readableWords(name);
  if (!stateAlone().test(words) && stateAlone().test(words.replace(/(?<=\p{L})-(?=\p{L})/gu, ''))) return [''];
  const first = /^\S*/.exec(words)?.[0].length ?? 0;
  return [...words.matchAll(nameStatus())]
    .filter(({ index, groups }) => groups?.verb === undefined || index >= first)
    .map(({ index, 0: status }) => words.slice(index + status.length));
}

/**
 * Returns the words after a status at the start of a name, or undefined if there is none. `isAsked` means the status is
 * a request.
 */
export function behindFirstState(name: string): { behind: string; isAsked: boolean } | undefined {
  const words = readableWords(name);
  const first = firstState().exec(words);
  return first ? { behind: words.slice(first[0].length), isAsked: first.groups?.asked !== undefined } : undefined;
}

export function holdsState(name: string): boolean {
  return stateAlone().test(readableWords(name));
}
