import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { showCredits } from '../../shared/pages/dashboard/texts/credits.ts';
import { listTexts, versionOfTexts } from '../../shared/pages/dashboard/texts/list.ts';
import { showRecipient } from '../../shared/pages/dashboard/texts/recipient.ts';
import { sendText } from '../../shared/pages/dashboard/texts/send.ts';
import { SendForm, showSend } from '../../shared/pages/dashboard/texts/send-form.ts';
import { showSenders } from '../../shared/pages/dashboard/texts/senders.ts';
import { showText } from '../../shared/pages/dashboard/texts/show.ts';
import { manifest } from '../manifest.ts';

const needs = 'texts:read';

/** What a merchant sends, from which numbers, and for how many credits. */
export const handler = area(manifest['dashboard/texts'], [
  page({ method: 'GET', path: '/', needs, refreshSeconds: 15, version: versionOfTexts, handle: listTexts }),
  page({ method: 'GET', path: '/send', needs: 'texts:send', handle: showSend }),
  page({ method: 'POST', path: '/send', needs: 'texts:send', form: SendForm, handle: sendText }),
  page({ method: 'GET', path: '/credits', needs: 'credits:read', handle: showCredits }),
  page({ method: 'GET', path: '/senders', needs, handle: showSenders }),
  page({ method: 'GET', path: '/{id}', needs, refreshSeconds: 5, handle: showText }),
  page({ method: 'GET', path: '/{id}/{n}', needs, handle: showRecipient }),
]);
