import { html } from 'hono/html';

/** Quiet zone around the code, in modules. */
const MARGIN = 4;

/**
 * Returns rows of QR modules, with true for a dark module. The library takes two milliseconds to load, so it is loaded
 * on first use.
 */
export async function qrModules(text: string): Promise<boolean[][]> {
  const { default: encodeQr } = await import('qr');
  return encodeQr(text, 'raw', { ecc: 'medium', border: MARGIN });
}

/** Renders a QR code as one inline SVG path. CSS sets its colours. */
export async function qrCode(text: string, label: string) {
  const rows = await qrModules(text);
  const path = rows.map((row, y) => (row.includes(true) ? `M0 ${y}.5${strokesOf(row)}` : '')).join('');
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${rows.length} ${rows.length}"><path d="${path}"/></svg>`;
}

function strokesOf(row: readonly boolean[]): string {
  const modules = row.map((isDark) => (isDark ? 'h' : 'm')).join('');
  return modules
    .replace(/(?<!m)m+$/, '')
    .replace(/h+|m+/g, (run) => `${run[0]}${run.length}${run.startsWith('m') ? ' 0' : ''}`);
}
