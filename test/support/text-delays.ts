/**
 * Returns `count` delays of a wallet's text from the network to the phone, in seconds, as quantiles of a log-logistic
 * distribution: median 8 s, 99 % below 107 s (measured over 1,648 texts).
 */
export function textDelaysSeconds(count: number): number[] {
  return Array.from({ length: count }, (_, n) => 8 * ((n + 1) / (count - n)) ** 0.564);
}
