import { checkout } from './en/checkout.ts';
import { pay } from './en/pay.ts';
import { receipt } from './en/receipt.ts';
import { request } from './en/request.ts';
import { shared } from './en/shared.ts';

/** Language of customer pages. Each language has its own folder, with one module per page. */
export const LANGUAGE = 'en';

/**
 * All languages must have the same keys. Calls are marked as pure, so that a bundle contains only its own pages' words.
 */
type Words<English> = Readonly<Record<typeof LANGUAGE, English>>;

export const checkoutWords = /* @__PURE__ */ inLanguage<typeof checkout>({ en: checkout });
export const payWords = /* @__PURE__ */ inLanguage<typeof pay>({ en: pay });
export const requestWords = /* @__PURE__ */ inLanguage<typeof request>({ en: request });
export const receiptWords = /* @__PURE__ */ inLanguage<typeof receipt>({ en: receipt });
export const sharedWords = /* @__PURE__ */ inLanguage<typeof shared>({ en: shared });

function inLanguage<English>(words: Words<English>): English {
  return words[LANGUAGE];
}
