export const CURRENCY = 'GHS';
export const COUNTRY_CODE = '+233';
