import { html, raw } from 'hono/html';
import { merchantAddress } from '../parts/addresses.ts';
import { copyable, emptyState, facts, type Html, pill, section } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import type { ChangesView } from './changes-view.ts';

type Waiting = ChangesView['waiting'][number];
type Made = ChangesView['made'][number];

export function renderChanges(visit: MerchantVisit, { waiting, made, unseenUntil }: ChangesView): Html {
  return html`${
    waiting.length > 0
      ? waiting.map((one) => waitingNotice(visit, one))
      : emptyState(
          'Nothing is waiting',
          'Changes to numbers or names, and higher limits, wait here for an owner’s approval.',
        )
  }
${made.length > 0 && madeSection(visit, made, unseenUntil)}`;
}

/** Says what will change, and until when it can be approved. Amber while a person can approve it. */
export function waitingNotice(visit: MerchantVisit, one: Waiting): Html {
  const { what, before, after, proposedBy, at, ends, known, support, isOutdated, warning, decision: asked } = one;
  const approved = asked.kind === 'decide' ? 'If you approve' : 'If approved';
  return html`<section${!isOutdated && raw(' class="look"')}><h2>${what}</h2>
<p><b>${isOutdated ? 'Before' : 'Now'}:</b> ${before}<br><b>${isOutdated ? 'Proposed' : `${approved} by ${ends}`}:</b> ${after}</p>
<p class="hint">Proposed by ${proposedBy}, ${at}</p>
${known && html`<p><b>Known here:</b> ${knownAs(known)}</p>`}
${warning && html`<p><b>${warning}</b></p>`}
${support && messageSection(support)}
${isOutdated && html`<p><b>Outdated:</b> the settings have changed since. It must be proposed again.</p>`}
${decision(visit, one)}</section>`;
}

function knownAs({ shops, more }: NonNullable<Waiting['known']>): Html {
  return html`${shops.map((id) => html`${pill('bad', 'Another shop receives payments on it')} <a href="${merchantAddress(id)}">${id}</a> `)}${more}`;
}

function messageSection({ explanation, message, url, hint }: NonNullable<Waiting['support']>): Html {
  return html`<p>${explanation}</p>
<p>${copyable(message, 'message')}</p>
<p class="actions"><a class="plain button" href="${url}" target="_blank" rel="noreferrer">Send by WhatsApp</a></p>
<p class="hint">${hint}</p>`;
}

function decision(visit: MerchantVisit, { id, decision }: Waiting): Html {
  const formOf = (verb: string, submit: string, isDangerous: boolean) =>
    form(visit, { path: `/changes/{id}/${verb}`, ids: { id }, submit, isDangerous });
  switch (decision.kind) {
    case 'withdraw':
      return formOf('drop', 'Withdraw it', true);
    case 'watch':
      return html`<p class="hint">${decision.decidedBy} will decide.</p>`;
    case 'decide':
      return html`<div class="actions">${decision.canApprove && formOf('approve', 'Approve', false)}
${formOf('drop', decision.drop, true)}</div>
${!decision.isOwn && html`<p class="hint">If you did not expect this, speak to the person who proposed it.</p>`}`;
  }
}

function madeSection(visit: MerchantVisit, made: readonly Made[], until: string | undefined): Html {
  return section('Changed in the last seven days', [
    ...made.map(madeEntry),
    until === undefined ? html`` : form(visit, { path: '/changes/seen', submit: 'Mark as seen', carries: { until } }),
  ]);
}

function madeEntry({ isNew, at, who, changes }: Made): Html {
  return html`<p>${isNew && pill('look', 'New')} ${at}, ${who}</p>
${facts(changes.map(({ what, before, after }) => [what, html`${after} <span class="hint">(was: ${before})</span>`]))}`;
}
