import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { everyPage } from '../support/dashboard-pages.ts';

// Opens every dashboard page of a shop with all kinds of data.

const busy = await openBusyDashboard();
looksOf(busy, await everyPage(busy.examples));
