/**
 * How far a payer's name agrees with the name on a charge. `same`: at least two words agree, one of them whole. `perhaps`:
 * one of the names is a single word and the other has it, which is enough only where no other charge could be meant.
 * Order, case, accents, titles and further names do not count; an initial agrees with a word that begins so. So
 * `MENSAH KOFI B.` is `KOFI BOATENG MENSAH`, and `K. Mensah` may be him too.
 */
export function compareNames(onCharge: string, ofPayer: string): 'same' | 'perhaps' | 'different' {
  const ours = wordsOf(onCharge);
  const theirs = wordsOf(ofPayer);
  const isSingle = ours.length === 1 || theirs.length === 1;
  const whole = pairOff(ours, theirs, (a, b) => a === b && a.length > 1);
  const initials = pairOff(ours, theirs, (a, b) => (a.length === 1 || b.length === 1) && a[0] === b[0]);
  if (whole >= 1 && whole + initials >= 2) return 'same';
  return whole === 1 && isSingle ? 'perhaps' : 'different';
}

/** Takes pairs that agree out of both lists, each word once, and counts them. */
function pairOff(ours: string[], theirs: string[], agree: (a: string, b: string) => boolean): number {
  let pairs = 0;
  for (const word of [...ours]) {
    const partner = theirs.findIndex((other) => agree(word, other));
    if (partner < 0) continue;
    ours.splice(ours.indexOf(word), 1);
    theirs.splice(partner, 1);
    pairs++;
  }
  return pairs;
}

function wordsOf(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toUpperCase()
    .replaceAll('Ɛ', 'E')
    .replaceAll('Ɔ', 'O')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !TITLES.has(word));
}

const TITLES = new Set(['MR', 'MRS', 'MS', 'MISS', 'MADAM', 'DR', 'PROF', 'REV', 'HON']);
