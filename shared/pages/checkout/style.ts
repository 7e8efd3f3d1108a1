import { networkStyles } from '../../ghana/network.ts';
import assets from './assets.json' with { type: 'json' };

/** The style of the checkout page and of the customer receipt. */
export const style = assets['checkout.css'] + networkStyles('.pay-to');
