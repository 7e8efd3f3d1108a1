import { html } from 'hono/html';
import { shownMoney } from '../../ghana/money.ts';
import { linkUrl } from '../../money/link/link.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { qrCode } from '../checkout/qr-code.ts';
import { framed, shopHead } from './frame.ts';
import type { OpenLink } from './page.ts';

/** A sheet to print and put up: the shop, what for, and the code to scan. */
export function posterPage(outside: Outside, { link, merchant }: OpenLink): Promise<Answer> {
  const { slug, title, description, amount_pesewas } = link;
  const url = linkUrl(outside, slug);
  const main = html`<main class="poster">
<div class="card">
${shopHead(outside, merchant)}
<h1>${title}</h1>
${description && html`<p class="description" dir="auto">${description}</p>`}
${amount_pesewas !== undefined && html`<p class="amount">${shownMoney(amount_pesewas)}</p>`}
${qrCode(url, 'QR code with the address of the payment page')}
<p><b>Pay by mobile money</b></p>
<p>Scan this with the camera of your phone, or open</p>
<p class="address">${url.replace(/^https?:\/\//, '')}</p>
<p class="hint">Check the name on your phone before you confirm with your PIN.</p>
</div>
<p class="unprinted"><button type="button" class="button" id="print" hidden>Print</button></p>
</main>`;
  return framed(outside, 200, { title, main, merchant, script: PRINT });
}

/** Without a script the browser's own menu prints. */
const PRINT =
  "var b=document.getElementById('print');if(window.print){b.hidden=false;b.addEventListener('click',function(){window.print()})}";
