/**
 * Headless Chromium cannot show notifications or badges. This worker records the latest notification per tag and the
 * badge number instead.
 */
const NOTES = `
  const notes = () => caches.open('notes');
  const read = async (key) => (await notes()).match(key).then((found) => found && found.json());
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
    (await notes()).put('/shown/' + options.tag, Response.json({ title, ...options }));
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag } = {}) => {
    const keys = (await (await notes()).keys()).filter(({ url }) => url.includes('/shown/' + (tag || '')));
    return Promise.all(keys.map(read));
  };
  WorkerNavigator.prototype.setAppBadge = async (count) => (await notes()).put('/badge', Response.json(count));
`;

/** Served with the dashboard, because the browser's update checks bypass a test's routes. */
export const notingWorker: ReadonlyMap<string, string> = new Map([['/dashboard/app/worker.js', NOTES]]);
