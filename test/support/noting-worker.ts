/**
 * A headless Chromium has nowhere to show a notification, and ends a worker that sets a badge. In their place, notes that pages can read:
 * what is shown, the newest of each tag, and the number on the icon.
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

/** For a server that serves the dashboard: also when the browser looks for a newer worker, which asks past what a test can answer. */
export const notingWorker: ReadonlyMap<string, string> = new Map([['/dashboard/app/worker.js', NOTES]]);
