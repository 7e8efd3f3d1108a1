import { area } from '../../shared/pages/dashboard/area.ts';
import * as wallets from '../../shared/pages/dashboard/operator-phones/operator-wallets.ts';
import { showPhones } from '../../shared/pages/dashboard/operator-phones/phones.ts';
import * as sender from '../../shared/pages/dashboard/operator-phones/sender.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { BalanceForm } from '../../shared/pages/dashboard/settings/owners-word.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const SENDER = '/{number}';
const ofSender = { needs, shownOn: SENDER } as const;
const { WALLET } = wallets;
const ofWallet = { needs, shownOn: WALLET } as const;
/** Changes that affect verification require a recent passkey sign-in. Viewing the page does not. */
const ofProof = { ...ofWallet, needsFresh: true } as const;

/** Operator pages for phones and their wallets. */
export const handler = area(manifest['dashboard/operator-phones'], [
  personPage({ path: '/', needs, refreshSeconds: 30, show: showPhones }),
  personPage({ path: '/new', needs, show: sender.showNewSender, form: sender.NewSenderForm, act: sender.addNumber }),
  personPage({ path: '/wallets', needs, refreshSeconds: 30, show: wallets.showWallets }),
  personPage({ path: WALLET, needs, show: wallets.showWallet }),
  personPage({ ...ofProof, path: `${WALLET}/confirm`, form: BalanceForm, act: wallets.confirmBalance(false) }),
  personPage({ ...ofProof, path: `${WALLET}/balance`, form: BalanceForm, act: wallets.confirmBalance(true) }),
  personPage({ ...ofProof, path: `${WALLET}/deny`, form: BalanceForm, act: wallets.denyBalance }),
  personPage({ ...ofProof, path: `${WALLET}/mode`, form: wallets.ModeForm, act: wallets.setMode }),
  personPage({ ...ofWallet, path: `${WALLET}/hearing`, form: wallets.HearingForm, act: wallets.setHearingTest }),
  personPage({ path: SENDER, needs, show: sender.showSender }),
  personPage({ ...ofSender, path: `${SENDER}/place`, form: sender.PlaceForm, act: sender.moveSender }),
  personPage({ ...ofSender, path: `${SENDER}/enable`, act: sender.turn(true) }),
  personPage({ ...ofSender, path: `${SENDER}/disable`, act: sender.turn(false) }),
  personPage({ ...ofSender, path: `${SENDER}/remove`, act: sender.removeNumber }),
]);
