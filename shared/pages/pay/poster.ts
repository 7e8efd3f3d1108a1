import { html } from 'hono/html';
import { shownMoney } from '../../ghana/money.ts';
import { linkUrl } from '../../money/link/link.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PRINT } from '../frame/frame.ts';
import { qrCode } from '../frame/qr-code.ts';
import { sharedWords, payWords as words } from '../words/words.ts';
import type { OpenLink } from './page.ts';
import { shopHead, shopPage } from './shop-page.ts';

export function posterPage(outside: Outside, { link, merchant }: OpenLink): Promise<Answer> {
  const { slug, title, description, amount_pesewas } = link;
  const url = linkUrl(outside, slug);
  const main = html`<main class="poster">
<div class="card">
${shopHead(outside, merchant)}
<h1>${title}</h1>
${description && html`<p class="description" dir="auto">${description}</p>`}
${amount_pesewas !== undefined && html`<p class="amount">${shownMoney(amount_pesewas)}</p>`}
${qrCode(url, words.qrCode)}
<p><b>${words.byMobileMoney}</b></p>
<p>${words.scan}</p>
<p class="address">${url.replace(/^https?:\/\//, '')}</p>
<p class="hint">${words.checkName}</p>
</div>
<p class="unprinted"><button type="button" class="button" id="print" hidden>${sharedWords.print}</button></p>
</main>`;
  return shopPage(outside, 200, { title, main, merchant, script: PRINT });
}
