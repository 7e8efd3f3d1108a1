/**
 * What may be logged: ids, codes, counts and durations. Phone numbers, texts, names, keys, headers and whole events are
 * personal data or secrets and have no field here.
 */
export interface LogFields {
  request_id?: string;
  merchant_id?: string;
  function?: string;
  code?: string;
  reference?: string;
  send_id?: string;
  message_id?: string;
  gateway?: string;
  attempt?: number;
  status?: number;
  error?: unknown;
}

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Lambda's JSON log format adds time, level and request id to what console gets, so no logging library is bundled. */
export const consoleLog: Log = {
  info: (event, fields) => console.info({ event, ...fields }),
  warn: (event, fields) => console.warn({ event, ...plain(fields) }),
  error: (event, fields) => console.error({ event, ...plain(fields) }),
};

function plain({ error, ...fields }: LogFields = {}) {
  if (error === undefined) return fields;
  if (!(error instanceof Error)) return { ...fields, error: String(error) };
  return { ...fields, error: { name: error.name, message: error.message, stack: error.stack } };
}
