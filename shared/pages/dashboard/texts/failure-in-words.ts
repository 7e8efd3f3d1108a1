/** What Android says of a text that it could not send, in words: the codes of its SmsManager. */
const words: Readonly<Record<string, string>> = {
  RESULT_ERROR_GENERIC_FAILURE:
    'The phone could not send it: perhaps its SIM has no airtime, or the number does not exist',
  RESULT_ERROR_NO_SERVICE: 'The phone had no signal',
  RESULT_ERROR_RADIO_OFF: 'The phone was in flight mode',
  RESULT_ERROR_LIMIT_EXCEEDED: 'The phone had sent too many texts at once',
  RESULT_NETWORK_REJECT: 'The network refused it',
  RESULT_INVALID_SMSC_ADDRESS: 'The SIM does not know its network’s message centre',
};

/** Why a text failed, as a sentence; with the phone's own code, for whoever asks the operator. */
export function failureInWords(reason = 'The phone could not send it'): string {
  const [code = ''] = /RESULT_\w+/.exec(reason) ?? [];
  const known = words[code];
  const said = known ? `${known} (${code})` : reason;
  return said.endsWith('.') ? said : `${said}.`;
}
