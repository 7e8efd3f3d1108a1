import { html } from 'hono/html';
import { icon } from '../../frame/icon.ts';
import type { Action, Actions, Back } from './action.ts';
import { NEW_CHARGE } from './addresses.ts';
import type { Html } from './content.ts';
import { carried } from './form.ts';
import { icons } from './icons.ts';

export const NEW_BILL: Action = { name: 'New bill', address: NEW_CHARGE };

export function titleLine(title: string, actions: Actions = [], back?: Back, about?: Html | string): Html {
  const offered = actions.flatMap((one) => (one ? [actionOf(one)] : []));
  const named = html`<h1>${title}</h1>`;
  return html`<div class="title">${back && html`<p class="up"><a href="${back.path}">${icon(icons.up)}<span class="unseen">Back: </span>${back.name}</a></p>`}${about ? html`<div>${named}<p class="hint">${about}</p></div>` : named}${offered.length > 0 && html`<div class="actions">${offered}</div>`}</div>`;
}

export function actionOf({ name, address, isPlain, sends }: Action): Html {
  const look = isPlain ? 'plain button' : 'button';
  return sends
    ? html`<form method="post" action="${address}" class="small">${carried(sends)}<button class="${look}">${name}</button></form>`
    : html`<a class="${look}" href="${address}">${name}</a>`;
}
