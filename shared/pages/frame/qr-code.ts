import { html } from 'hono/html';

/** The light margin that a camera needs, in modules. */
const MARGIN = 4;

/** A text as a QR code: a row for each line of modules, true where one is dark. The library is loaded with the first: its tables take two milliseconds. */
export async function qrModules(text: string): Promise<boolean[][]> {
  const { default: encodeQr } = await import('qr');
  return encodeQr(text, 'raw', { ecc: 'medium', border: MARGIN });
}

/** The same as an inline drawing of one path, a stroke for each run of dark modules. Its colours are the style's. */
export async function qrCode(text: string, label: string) {
  const rows = await qrModules(text);
  const path = rows.map((row, y) => (row.includes(true) ? `M0 ${y}.5${strokesOf(row)}` : '')).join('');
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${rows.length} ${rows.length}"><path d="${path}"/></svg>`;
}

function strokesOf(row: readonly boolean[]): string {
  const modules = row.map((isDark) => (isDark ? 'h' : 'm')).join('');
  return modules
    .replace(/m+$/, '')
    .replace(/h+|m+/g, (run) => `${run[0]}${run.length}${run.startsWith('m') ? ' 0' : ''}`);
}
