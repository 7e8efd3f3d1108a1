import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { BUY, BuyForm, buyBundle, showCredits } from '../../shared/pages/dashboard/texts/credits.ts';
import * as inbox from '../../shared/pages/dashboard/texts/inbox.ts';
import { SendForm as form, sendText, showSend } from '../../shared/pages/dashboard/texts/send.ts';
import { showSenders } from '../../shared/pages/dashboard/texts/senders.ts';
import { cancelText, showRecipient, showText } from '../../shared/pages/dashboard/texts/text.ts';
import { listTexts, versionOfTexts } from '../../shared/pages/dashboard/texts/texts.ts';
import { manifest } from '../manifest.ts';

const needs = 'texts:read';

export const handler = area(manifest['dashboard/texts'], [
  page({ path: '/', needs, refreshSeconds: 15, version: versionOfTexts, show: listTexts }),
  page({ path: '/send', needs: 'texts:send', show: showSend, form, act: sendText }),
  page({ path: '/credits', needs: 'credits:read', show: showCredits }),
  page({ path: BUY, shownOn: '/credits', needs: 'credits:buy', form: BuyForm, act: buyBundle }),
  page({ path: '/senders', needs, show: showSenders }),
  page({ path: '/inbox', needs, refreshSeconds: 15, version: inbox.versionOfInbox, show: inbox.showInbox }),
  page({ path: '/inbox/{number}', needs, refreshSeconds: 15, show: inbox.showThread }),
  page({
    path: inbox.REPLY,
    shownOn: '/inbox/{number}',
    needs: 'texts:send',
    form: inbox.ReplyForm,
    act: inbox.reply,
  }),
  page({ path: '/{id}', needs, refreshSeconds: 5, show: showText }),
  page({ path: '/{id}/cancel', shownOn: '/{id}', needs: 'texts:send', act: cancelText }),
  page({ path: '/{id}/{n}', needs, show: showRecipient }),
]);
