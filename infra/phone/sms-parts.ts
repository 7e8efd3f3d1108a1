const gsm7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** These take two places: an escape and the character. */
const gsm7Extended = new Set('\f^{}\\[~]|€');

/**
 * How many SMS a text takes: 160 characters of GSM-7 fit in one, or 70 of UCS-2; a part of several loses some to its header.
 * The phone has its own count, because it simulates somebody else's software.
 */
export function countParts(text: string): number {
  const characters = [...text];
  if (characters.every((character) => gsm7.has(character) || gsm7Extended.has(character))) {
    const places = characters.length + characters.filter((character) => gsm7Extended.has(character)).length;
    return places <= 160 ? 1 : Math.ceil(places / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}
