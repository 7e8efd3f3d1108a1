import type { Answer } from '../../runtime/http/answer.ts';
import { qrCode, qrModules } from '../frame/qr-code.ts';
import { pngOf } from './png.ts';

/** Sharp on a sheet of A4: some 700 pixels. */
const PIXELS_A_MODULE = 20;

/** A day: the code says an address, which does not change. */
const KEPT = 'public, max-age=86400';

/** The QR code of an address as a drawing, to scale to any size. */
export async function qrSvg(url: string): Promise<Answer> {
  const drawing = String(await qrCode(url, `QR code with the address ${url}`));
  const body = drawing.replace(
    '<svg class="qr-code"',
    '<svg xmlns="http://www.w3.org/2000/svg" style="background:#fff" stroke="#000" shape-rendering="crispEdges"',
  );
  return { statusCode: 200, headers: headersOf('image/svg+xml'), body };
}

/** The same as a picture, for programs that take no drawings. */
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
