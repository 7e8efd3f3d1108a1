import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { everyPage } from '../support/dashboard-pages.ts';

// Opens every page in the areas' own tables, for a shop that has data of every kind.

const busy = await openBusyDashboard();
looksOf(busy, await everyPage(busy.examples));
