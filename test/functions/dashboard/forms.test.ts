import { expect, test } from 'vitest';
import { matchRoute } from '../../../shared/runtime/http/match-route.ts';
import { openBusyDashboard } from '../../support/busy-dashboard.ts';
import { checkEach } from '../../support/check-each.ts';
import { allPages, visitPath } from '../../support/dashboard.ts';
import { everyPage } from '../../support/dashboard-pages.ts';

const { world, people, examples } = await openBusyDashboard();
const all = await allPages();
const shown = await everyPage(examples);

/** Returns the method and URL of each form, without its query. */
function formsIn(text: string): { method: string; path: string }[] {
  return [...text.matchAll(/<form\b([^>]*)>/g)].map(([, attributes = '']) => ({
    method: /method="post"/.test(attributes) ? 'POST' : 'GET',
    path: decodeURIComponent(/action="([^"?]*)/.exec(attributes)?.[1] ?? ''),
  }));
}

test('every form on a page is sent to a page', () =>
  checkEach(shown, async ({ address, who }) => {
    const { text } = await visitPath(world, address, { by: who && people[who] });
    const lost = formsIn(text).filter(
      (form) => !all.some(({ page, pattern }) => page.method === form.method && matchRoute(pattern, form.path)),
    );
    expect(lost).toEqual([]);
  }));
