import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LOGO_BYTES, MAX_SIDE, readImage } from '../../../shared/merchants/logo/image.ts';
import { pictures } from '../../support/pictures.ts';

const types = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  progressive: 'image/jpeg',
  lossy: 'image/webp',
  lossless: 'image/webp',
  transparent: 'image/webp',
} as const;
const kinds = Object.keys(types) as (keyof typeof types)[];
const NEITHER = 'must be a complete PNG, JPEG or WebP image';

function read(bytes: Buffer) {
  const image = readImage(bytes);
  if (typeof image === 'string') throw new Error(image);
  return image;
}

describe.each(kinds)('a %s image', (kind) => {
  const bytes = pictures[kind];

  test('is recognised by its bytes', () => {
    expect(read(bytes).type).toBe(types[kind]);
  });

  test('is stored without metadata or trailing bytes', () => {
    const zip = Buffer.from('PK\u0003\u0004 SECRET <script>alert(1)</script>');
    const kept = read(Buffer.concat([bytes, zip])).bytes.toString('latin1');
    expect(kept).not.toMatch(/SECRET|EXIF|Exif|<script>/);
    // Processing the result again changes nothing.
    expect(read(read(bytes).bytes).bytes).toEqual(read(bytes).bytes);
  });

  test('is rejected if it is truncated', () => {
    for (let length = 0; length < read(bytes).bytes.length; length += 7)
      expect(readImage(read(bytes).bytes.subarray(0, length))).toBe(NEITHER);
  });

  test('is rejected if its header states a size that is too large', () => {
    const large = Buffer.from(bytes);
    const [side, at] = {
      png: [Buffer.of(0, 0, 0x7f, 0xff), large.indexOf('IHDR') + 4] as const,
      jpeg: [Buffer.of(0x7f, 0xff), large.indexOf(Buffer.of(0xff, 0xc0)) + 5] as const,
      progressive: [Buffer.of(0x7f, 0xff), large.indexOf(Buffer.of(0xff, 0xc2)) + 5] as const,
      lossy: [Buffer.of(0xff, 0x3f), large.indexOf(Buffer.of(0x9d, 0x01, 0x2a)) + 3] as const,
      lossless: [Buffer.of(0xff, 0xff), large.indexOf('VP8L') + 9] as const,
      transparent: [Buffer.of(0xff, 0x3f), large.indexOf(Buffer.of(0x9d, 0x01, 0x2a)) + 3] as const,
    }[kind];
    side.copy(large, at);
    expect(readImage(large)).toMatch(new RegExp(`pixels, but each side must be 16 to ${MAX_SIDE} pixels$`));
  });

  test('never throws if any byte changes', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        expect(['string', 'object']).toContain(typeof readImage(changed));
      }),
    );
  });
});

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['GIF', pictures.gif],
  ['animated WebP', pictures.animated],
  ['page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a file that is PNG in name only', Buffer.concat([pictures.png.subarray(0, 8), Buffer.from('<svg/>')])],
  ['JPEG without an image', Buffer.from('ffd8ffd9', 'hex')],
  ['nothing', Buffer.alloc(0)],
])('an image is rejected: %s', (_, bytes) => {
  expect(readImage(bytes)).toBe(NEITHER);
});

test('an image larger than 16 KB is rejected', () => {
  const padded = Buffer.concat([pictures.png, Buffer.alloc(MAX_LOGO_BYTES + 1 - pictures.png.length)]);
  expect(readImage(padded)).toBe('is larger than 16 KB and must be made smaller');
  expect(typeof readImage(padded.subarray(0, MAX_LOGO_BYTES))).toBe('object');
});
