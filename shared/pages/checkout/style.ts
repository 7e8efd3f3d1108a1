import { networkStyles } from '../../ghana/network.ts';
import assets from './assets.json' with { type: 'json' };

export const style = assets['checkout.css'] + networkStyles('.pay-to');
