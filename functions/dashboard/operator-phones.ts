import { area } from '../../shared/pages/dashboard/area.ts';
import * as wallets from '../../shared/pages/dashboard/operator-phones/operator-wallets.ts';
import { showPhones } from '../../shared/pages/dashboard/operator-phones/phones.ts';
import * as sender from '../../shared/pages/dashboard/operator-phones/sender.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const SENDER = '/{number}';
const ofSender = { needs, shownOn: SENDER } as const;
const { WALLET } = wallets;
const ofWallet = { needs, shownOn: WALLET } as const;

/** Operator pages for phones and their wallets. */
export const handler = area(manifest['dashboard/operator-phones'], [
  personPage({ path: '/', needs, refreshSeconds: 30, show: showPhones }),
  personPage({ path: '/new', needs, show: sender.showNewSender, form: sender.NewSenderForm, act: sender.addNumber }),
  personPage({ path: '/wallets', needs, refreshSeconds: 30, show: wallets.showWallets }),
  personPage({ path: WALLET, needs, show: wallets.showWallet }),
  personPage({ ...ofWallet, path: `${WALLET}/hearing`, form: wallets.HearingForm, act: wallets.setHearingTest }),
  personPage({ path: SENDER, needs, show: sender.showSender }),
  personPage({ ...ofSender, path: `${SENDER}/place`, form: sender.PlaceForm, act: sender.moveSender }),
  personPage({ ...ofSender, path: `${SENDER}/enable`, act: sender.turn(true) }),
  personPage({ ...ofSender, path: `${SENDER}/disable`, act: sender.turn(false) }),
  personPage({ ...ofSender, path: `${SENDER}/remove`, act: sender.removeNumber }),
]);
