/**
 * Bits for the recipient's index at the end of a message id. Ids are UUIDv7 (RFC 9562). A send's id ends in six zero
 * bits, so it equals the id of its first message.
 */
const INDEX_BITS = 6;
export const MAX_INDEXES = 1 << INDEX_BITS;
const INDEX_MASK = MAX_INDEXES - 1;

export function newSendId(nowMs: number, randomBytes: (length: number) => Buffer): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  bytes.writeUInt8(bytes.readUInt8(15) & ~INDEX_MASK, 15);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const PART_BITS = 5;
export const MAX_SENDS_PER_BULK = 1 << PART_BITS;
const LAST_BITS_MASK = (1 << (INDEX_BITS + PART_BITS)) - 1;

/**
 * Derives the ids of all sends in a bulk send from any one of them.
 * @throws RangeError for more than `MAX_SENDS_PER_BULK`.
 */
export function partIds(sendId: string, parts: number): string[] {
  if (!Number.isInteger(parts) || parts < 0 || parts > MAX_SENDS_PER_BULK)
    throw new RangeError(`A bulk send can have up to ${MAX_SENDS_PER_BULK} sends, not ${parts}`);
  const last = Number.parseInt(sendId.slice(-4), 16) & ~LAST_BITS_MASK;
  return Array.from(
    { length: parts },
    (_, part) => sendId.slice(0, -4) + (last | (part << INDEX_BITS)).toString(16).padStart(4, '0'),
  );
}

export function timeOfSendId(ms: number): string {
  return ms
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-');
}

export function sendIdsBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): readonly [string, string] {
  return [timeOfSendId(fromMs), `${timeOfSendId(toMs)}~`];
}

/** Returns the creation time encoded in a send's id, in epoch milliseconds. Returns undefined for any other string. */
export function msOfSendId(id: string): number | undefined {
  return parseMessageId(id)?.sendId === id ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : undefined;
}

/**
 * Returns the message id of the recipient at `index`.
 * @throws RangeError for an index that would collide with another send.
 */
export function messageId(sendId: string, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= MAX_INDEXES) {
    throw new RangeError(`A recipient’s index must be from 0 to ${INDEX_MASK}, not ${index}`);
  }
  return withLastByte(sendId, (byte) => byte | index);
}

export function parseMessageId(id: string): { sendId: string; index: number } | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)) return undefined;
  const lower = id.toLowerCase();
  return {
    sendId: withLastByte(lower, (byte) => byte & ~INDEX_MASK),
    index: Number.parseInt(lower.slice(-2), 16) & INDEX_MASK,
  };
}

function withLastByte(id: string, change: (byte: number) => number): string {
  const byte = change(Number.parseInt(id.slice(-2), 16));
  return id.slice(0, -2) + byte.toString(16).padStart(2, '0');
}
