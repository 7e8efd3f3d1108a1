import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { everyPage } from '../support/dashboard-pages.ts';

// Every page, as the areas' own tables have them, of a shop where something of everything has happened.

const busy = await openBusyDashboard();
looksOf(busy, await everyPage(busy.examples));
