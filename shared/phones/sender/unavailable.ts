/** Why a merchant cannot send from a number at present. */
export const unavailableReasons = ['disabled', 'phone_off', 'out_of_reach', 'queue_full'] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** What the merchant is told of it. */
export const unavailableMessages: Readonly<Record<UnavailableReason, string>> = {
  disabled: 'The operator has disabled this number.',
  phone_off: 'The phone with this number is off or has no internet connection.',
  out_of_reach: 'This number cannot be reached at present. The operator has been alerted.',
  queue_full: 'More of your texts are waiting on this number than it sends in a day.',
};
