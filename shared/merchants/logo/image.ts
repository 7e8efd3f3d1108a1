/** Validates an image by its bytes, not by its name or content type. Strips metadata such as the location. */

export const MAX_LOGO_BYTES = 16 * 1024;
/** Minimum number of pixels per side. */
const MIN_SIDE = 16;
export const MAX_SIDE = 512;

export interface Image {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Buffer;
}

interface Drawn extends Image {
  readonly width: number;
  readonly height: number;
}

export function readImage(bytes: Buffer): Image | string {
  if (bytes.length > MAX_LOGO_BYTES) return `is larger than ${MAX_LOGO_BYTES / 1024} KB and must be made smaller`;
  const drawn = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (!drawn) return 'must be a complete PNG, JPEG or WebP image';
  const { type, bytes: kept, width, height } = drawn;
  const fits = [width, height].every((side) => side >= MIN_SIDE && side <= MAX_SIDE);
  return fits
    ? { type, bytes: kept }
    : `is ${width} by ${height} pixels, but each side must be ${MIN_SIDE} to ${MAX_SIDE} pixels`;
}

const PNG_BEGINS = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_DRAWS = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND'];

/** Reads a PNG (ISO 15948). Keeps only the first image of an animation. */
function readPng(bytes: Buffer): Drawn | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_BEGINS)) return undefined;
  const chunks: { name: string; whole: Buffer }[] = [];
  for (let at = 8; chunks.at(-1)?.name !== 'IEND'; ) {
    const head = bytes.subarray(at, at + 8);
    if (head.length < 8) return undefined;
    const whole = bytes.subarray(at, at + 12 + head.readUInt32BE());
    if (whole.length < 12 + head.readUInt32BE()) return undefined;
    chunks.push({ name: head.toString('latin1', 4), whole });
    at += whole.length;
  }
  const drawing = chunks.filter(({ name }) => PNG_DRAWS.includes(name));
  const headers = drawing.filter(({ name }) => name === 'IHDR');
  const [first] = chunks;
  if (headers.length !== 1 || first?.name !== 'IHDR' || first.whole.length !== 25) return undefined;
  if (!drawing.some(({ name }) => name === 'IDAT')) return undefined;
  return {
    type: 'image/png',
    bytes: Buffer.concat([PNG_BEGINS, ...drawing.map(({ whole }) => whole)]),
    width: first.whole.readUInt32BE(8),
    height: first.whole.readUInt32BE(12),
  };
}

/** Markers without a length. */
const [JPEG_BEGINS, JPEG_ENDS, JPEG_SCAN] = [0xd8, 0xd9, 0xda];
const JPEG_TABLES = [0xdb, 0xc4, 0xdd];
/** Baseline, extended and progressive frames, which browsers can draw. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2];

function readJpeg(bytes: Buffer): Drawn | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_BEGINS) return undefined;
  const kept = [bytes.subarray(0, 2)];
  let frame: Buffer | undefined;
  let isDrawn = false;
  let at = 2;
  for (;;) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return undefined;
    if (marker === JPEG_ENDS) break;
    const lengths = bytes.subarray(at + 2, at + 4);
    if (lengths.length < 2) return undefined;
    const whole = bytes.subarray(at, at + 2 + lengths.readUInt16BE());
    if (whole.length < Math.max(4, 2 + lengths.readUInt16BE())) return undefined;
    at += whole.length;
    if (JPEG_FRAMES.includes(marker)) {
      if (frame || whole.length < 10) return undefined;
      frame = whole;
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4) return undefined;
    if (marker === JPEG_SCAN) {
      if (!frame) return undefined;
      const end = endOfScan(bytes, at);
      kept.push(whole, bytes.subarray(at, end));
      at = end;
      isDrawn = true;
    } else if (JPEG_FRAMES.includes(marker) || JPEG_TABLES.includes(marker) || setsColours(marker, whole))
      kept.push(whole);
  }
  if (!frame || !isDrawn) return undefined;
  return {
    type: 'image/jpeg',
    bytes: Buffer.concat([...kept, Buffer.of(0xff, JPEG_ENDS)]),
    width: frame.readUInt16BE(7),
    height: frame.readUInt16BE(5),
  };
}

/** Returns the position of the next marker. Within image data, 0xff is followed by a zero or a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
    at++;
  }
  return at;
}

/** True for a marker segment that defines colours and contains nothing else. */
function setsColours(marker: number, whole: Buffer): boolean {
  const isJfif = marker === 0xe0 && whole.length === 18 && whole.toString('latin1', 4, 9) === 'JFIF\0';
  const isAdobe = marker === 0xee && whole.length === 16 && whole.toString('latin1', 4, 9) === 'Adobe';
  return isJfif || isAdobe;
}

/** Reads a WebP (RFC 9649). Rejects animations. */
function readWebp(bytes: Buffer): Drawn | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const chunks: { name: string; data: Buffer }[] = [];
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  for (let at = 12; at + 8 <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return undefined;
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data });
    at += 8 + length + (length % 2);
  }
  const pictures = chunks.filter(({ name }) => name === 'VP8 ' || name === 'VP8L');
  const [picture] = pictures;
  const size = picture && (picture.name === 'VP8 ' ? sizeOfLossy(picture.data) : sizeOfLossless(picture.data));
  if (!picture || !size || pictures.length > 1) return undefined;
  const alpha = picture.name === 'VP8 ' ? chunks.find(({ name }) => name === 'ALPH') : undefined;
  const kept = alpha ? [canvasOf(size), alpha, picture] : [picture];
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept.map(chunkOf)]);
  return { type: 'image/webp', bytes: chunkOf({ name: 'RIFF', data: body }), ...size };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOfLossy(data: Buffer): Size | undefined {
  if (data.length < 10 || data.toString('hex', 3, 6) !== '9d012a') return undefined;
  const size = { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

function sizeOfLossless(data: Buffer): Size | undefined {
  if (data.length < 5 || data[0] !== 0x2f) return undefined;
  const sides = data.readUInt32LE(1);
  return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
}

function canvasOf({ width, height }: Size): { name: string; data: Buffer } {
  const data = Buffer.alloc(10);
  data[0] = 0x10;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { name: 'VP8X', data };
}

function chunkOf({ name, data }: { readonly name: string; readonly data: Buffer }): Buffer {
  const head = Buffer.alloc(8, name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
