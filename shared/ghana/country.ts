export const CURRENCY = 'GHS';
/** What an international number begins with. */
export const COUNTRY_CODE = '+233';
