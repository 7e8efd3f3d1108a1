import { area } from '../../shared/pages/dashboard/area.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import {
  disableSender,
  enableSender,
  moveSender,
  removeNumber,
} from '../../shared/pages/dashboard/phones/change-sender.ts';
import {
  confirmBalance,
  denyBalance,
  nameBalance,
  setHearingTest,
  setMode,
} from '../../shared/pages/dashboard/phones/change-wallet.ts';
import { showPhones } from '../../shared/pages/dashboard/phones/list-phones.ts';
import { showWallets } from '../../shared/pages/dashboard/phones/list-wallets.ts';
import { addNumber, showNewSender } from '../../shared/pages/dashboard/phones/new-sender.ts';
import { showSender } from '../../shared/pages/dashboard/phones/sender.ts';
import { NewSenderForm, PlaceForm } from '../../shared/pages/dashboard/phones/sender-form.ts';
import { HearingForm, ModeForm, showWallet, WALLET } from '../../shared/pages/dashboard/phones/wallet.ts';
import { WordForm } from '../../shared/pages/dashboard/wallet/owners-word.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const shownOn = '/{number}';
/** What decides which payments count. Not the page itself, which an operator opens to look. */
const ofProof = { method: 'POST', shownOn: WALLET, needs, needsFresh: true } as const;

/** The phones that send and hear, and the wallets that they hear of. */
export const handler = area(manifest['dashboard/operator-phones'], [
  personPage({ method: 'GET', path: '/', needs, refreshSeconds: 30, handle: showPhones }),
  personPage({ method: 'GET', path: '/new', needs, handle: showNewSender }),
  personPage({ method: 'POST', path: '/new', needs, form: NewSenderForm, handle: addNumber }),
  personPage({ method: 'GET', path: '/wallets', needs, refreshSeconds: 30, handle: showWallets }),
  personPage({ method: 'GET', path: WALLET, needs, handle: showWallet }),
  personPage({ ...ofProof, path: `${WALLET}/confirm`, form: WordForm, handle: confirmBalance }),
  personPage({ ...ofProof, path: `${WALLET}/balance`, form: WordForm, handle: nameBalance }),
  personPage({ ...ofProof, path: `${WALLET}/deny`, form: WordForm, handle: denyBalance }),
  personPage({ ...ofProof, path: `${WALLET}/mode`, form: ModeForm, handle: setMode }),
  personPage({
    method: 'POST',
    path: `${WALLET}/hearing`,
    shownOn: WALLET,
    needs,
    form: HearingForm,
    handle: setHearingTest,
  }),
  personPage({ method: 'GET', path: '/{number}', needs, handle: showSender }),
  personPage({ method: 'POST', path: '/{number}/place', shownOn, needs, form: PlaceForm, handle: moveSender }),
  personPage({ method: 'POST', path: '/{number}/enable', shownOn, needs, handle: enableSender }),
  personPage({ method: 'POST', path: '/{number}/disable', shownOn, needs, handle: disableSender }),
  personPage({ method: 'POST', path: '/{number}/remove', shownOn, needs, handle: removeNumber }),
]);
