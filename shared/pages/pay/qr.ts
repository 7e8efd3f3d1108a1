import type { Answer } from '../../runtime/http/answer.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { qrCode, qrModules } from '../frame/qr-code.ts';
import { pngOf } from './png.ts';

/** Pixels per module. About 700 pixels in total print sharply on A4. */
const PIXELS_A_MODULE = 20;

/** A link's QR code never changes, so browsers may cache it for a day. */
const KEPT = `public, max-age=${DAY_SECONDS}`;

export async function qrSvg(url: string): Promise<Answer> {
  const drawing = String(await qrCode(url, `QR code with the address ${url}`));
  const body = drawing.replace(
    '<svg class="qr-code"',
    '<svg xmlns="http://www.w3.org/2000/svg" style="background:#fff" stroke="#000" shape-rendering="crispEdges"',
  );
  return { statusCode: 200, headers: headersOf('image/svg+xml'), body };
}

/** Returns the QR code as a PNG, for programs that do not support SVG. */
export async function qrPng(url: string): Promise<Answer> {
  const body = pngOf(await qrModules(url), PIXELS_A_MODULE).toString('base64');
  return { statusCode: 200, headers: headersOf('image/png'), body, isBase64Encoded: true };
}

function headersOf(type: string): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': KEPT,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  };
}
