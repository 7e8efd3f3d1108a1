import { area } from '../../shared/pages/dashboard/area.ts';
import { LookAtChargeForm } from '../../shared/pages/dashboard/charges/look.ts';
import * as link from '../../shared/pages/dashboard/links/link.ts';
import { releaseCode, showCode } from '../../shared/pages/dashboard/links/link-code.ts';
import { linkChargesFile, linkSumsFile } from '../../shared/pages/dashboard/links/link-files.ts';
import { CodesFileForm, CodesForm, LinkForm, NewLinkForm } from '../../shared/pages/dashboard/links/link-form.ts';
import { addLink, showLinks, showNewLink } from '../../shared/pages/dashboard/links/links.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const LINK = '/{slug}';
const CODE = `${LINK}/code/{reference}`;
const looks = { needs: 'charges:read' } as const;
const files = { needs: 'reports:read' } as const;
const changes = { shownOn: LINK, needs: 'links:write' } as const;

/** Pages for payment links and their stock codes. */
export const handler = area(manifest['dashboard/links'], [
  page({ ...looks, path: '/', show: showLinks }),
  page({ path: '/new', needs: 'links:write', show: showNewLink, form: NewLinkForm, act: addLink }),
  page({ ...looks, path: LINK, show: link.showLink }),
  page({ ...changes, path: `${LINK}/change`, form: LinkForm, act: link.changeThisLink }),
  page({ ...changes, path: `${LINK}/end`, act: link.endLink }),
  page({ ...changes, path: `${LINK}/codes`, form: CodesForm, act: link.pasteCodes }),
  page({ ...changes, path: `${LINK}/codes-file`, hasFile: true, form: CodesFileForm, act: link.uploadCodes }),
  page({ ...changes, path: `${LINK}/remove-codes`, act: link.removeLeft }),
  page({ ...files, path: `${LINK}/charges.csv`, show: linkChargesFile }),
  page({ ...files, path: `${LINK}/sums.csv`, show: linkSumsFile }),
  page({ ...looks, path: CODE, show: showCode }),
  page({
    shownOn: CODE,
    needs: 'receipts:assign',
    needsFresh: true,
    path: `${CODE}/release`,
    form: LookAtChargeForm,
    act: releaseCode,
  }),
]);
