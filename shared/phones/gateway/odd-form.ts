import * as z from 'zod/mini';

/** The first SMSGate version that signs its callbacks, and the newest version reviewed. */
export const APP_VERSIONS = { least: '1.33.0', newest: '1.68.0' } as const;

/** Reason why a signed callback was not understood. `repaired`: understood once its line feeds were escaped. */
const OddFault = z.enum(['unknown', 'encrypted', 'not_json', 'repaired', 'two_senders']);
export type OddFault = z.infer<typeof OddFault>;

/** Structure of a callback that was not understood, without its values, which may be private. */
export const OddForm = z.object({ fault: OddFault, form: z.string() });
export type OddForm = z.infer<typeof OddForm>;

export const ODD_FAULTS: Readonly<Record<OddFault, string>> = {
  unknown: 'data that this version does not understand',
  encrypted: 'encrypted texts, which this service cannot read',
  not_json: 'broken JSON',
  repaired: 'broken JSON, with unescaped line feeds in texts',
  two_senders: 'texts with two different senders',
};

export const ODD_REMEDIES: Readonly<Record<OddFault, string>> = {
  unknown: `Update SMSGate on the phone to version ${APP_VERSIONS.newest}. Versions from ${APP_VERSIONS.least} are understood. If the app is newer, update this service.`,
  encrypted: 'Turn off encryption in the app: under Settings → Encryption, leave Passphrase empty.',
  not_json: `Update SMSGate on the phone to version ${APP_VERSIONS.newest}.`,
  repaired: 'The texts are read anyway. Update the app, or make it escape line feeds as JSON requires.',
  two_senders: `Versions from ${APP_VERSIONS.least} to ${APP_VERSIONS.newest} of SMSGate name one sender. If the app is newer, update this service.`,
};

/** Prefix of an encrypted value: cipher and key derivation. */
const ENCRYPTED = /^\$[\w-]+\/[\w-]+\$/;
const EXAMPLE_ENCRYPTED = '$aes-256-cbc/pbkdf2-sha1$i=300000$c2FsdA==$d29yZHM=';

export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

/** Known names of fields and events. Other names are not stored, because they may be personal. */
const FIELDS = new Set(
  `address attachments body cancelledAt contentClass contentType data date deliveredAt deviceId error event events failedAt from from_number
  health   hashedMessage hashedPhoneNumbers id isEncrypted isHashed message messageId messages name number partsCount payload payloads phoneNumber
  phoneNumbers reason receivedAt received_at recipient recipients sender sentAt sent_at signature sim simCards simNumber simSlot size slot state states status subject
  subscriptionId text textMessage time timestamp to transactionId type version webhookId`.split(/\s+/),
);
const EVENTS = new Set(
  `app:started mms:batch:downloaded mms:batch:received mms:downloaded mms:received sms:batch:data-received sms:batch:received sms:cancelled
  sms:data-received sms:delivered sms:failed sms:received sms:sent system:ping`.split(/\s+/),
);

const MAX_LEVELS = 6;
/** Maximum number of fields and list entries in a structure, across all levels. */
const MAX_ENTRIES = 40;
const MAX_KINDS_IN_LIST = 3;

type Form = string | readonly Form[] | { readonly [name: string]: Form };

/**
 * Returns the names and types of a callback's fields as JSON:
 * `{"event":"sms:received","payload":{"message":"string"}}`. At most about 1,500 characters.
 */
export function formOf(value: unknown): string {
  let parts = MAX_ENTRIES;
  const form = (one: unknown, levels: number): Form => {
    if (typeof one === 'string') return isEncrypted(one) ? 'encrypted' : 'string';
    if (typeof one !== 'object' || one === null) return one === null ? 'null' : typeof one;
    if (levels === 0 || parts <= 0) return 'more';
    if (Array.isArray(one)) {
      const kinds = new Map<string, Form>();
      for (const each of one.slice(0, MAX_ENTRIES)) {
        if (kinds.size === MAX_KINDS_IN_LIST || parts-- <= 0) break;
        const kind = form(each, levels - 1);
        kinds.set(JSON.stringify(kind), kind);
      }
      return [...kinds.values()];
    }
    const fields: Record<string, Form> = {};
    for (const [name, field] of Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (parts-- <= 0) break;
      fields[FIELDS.has(name) ? name : '?'] = isEventName(name, field) ? field : form(field, levels - 1);
    }
    return fields;
  };
  return JSON.stringify(form(value, MAX_LEVELS));
}

function isEventName(name: string, value: unknown): value is string {
  return name === 'event' && typeof value === 'string' && EVENTS.has(value);
}

/**
 * Returns an example callback with this structure. Later releases parse the example to find out whether they understand
 * the structure.
 */
export function exampleOf(form: string): unknown {
  const examples: Readonly<Record<string, unknown>> = {
    string: 'MobileMoney',
    encrypted: EXAMPLE_ENCRYPTED,
    number: 1,
    boolean: true,
    null: null,
    more: null,
  };
  return JSON.parse(form, (_name, value) =>
    typeof value === 'string' && Object.hasOwn(examples, value) ? examples[value] : value,
  );
}
