import { area } from '../../shared/dashboard/area.ts';
import { openPage, personPage } from '../../shared/dashboard/page.ts';
import { showAsset } from '../../shared/dashboard/sign-in/asset.ts';
import { showSignIn } from '../../shared/dashboard/sign-in/sign-in.ts';
import { signOut } from '../../shared/dashboard/sign-in/sign-out.ts';
import { manifest } from '../manifest.ts';

/** Signing in and out, and the style and the script of every page. */
export const handler = area(manifest['dashboard/sign-in'], [
  openPage({ method: 'GET', path: '/', handle: showSignIn }),
  openPage({ method: 'GET', path: '/asset/{hash}/{name}', handle: showAsset }),
  personPage({ method: 'POST', path: '/sign-out', needs: 'session', handle: signOut }),
]);
