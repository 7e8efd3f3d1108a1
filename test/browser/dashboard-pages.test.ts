import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { everyPage } from '../support/dashboard-pages.ts';

// Every page in the areas' own tables, for a shop with data of every kind.

const busy = await openBusyDashboard();
looksOf(busy, await everyPage(busy.examples));
