// The dashboard's service worker: shows push notifications and a cached offline page.
const OFFLINE = '/dashboard/app/offline';
const WAITING = '/dashboard/today/waiting';
const MAX_IDS = 100;

addEventListener('install', (event) => {
  const page = new Request(OFFLINE, { credentials: 'omit', cache: 'reload' });
  const kept = caches.open('offline').then((cache) => cache.add(page));
  event.waitUntil(kept.then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(clients.claim());
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate') return;
  event.respondWith(fetch(request).catch(() => caches.match(OFFLINE).then((page) => page || Response.error())));
});

// Shows one notification per kind, with a count. A repeated push changes nothing.
const show = async ({ id, kind, title, body, path, many, list, more, unsure, ...told }) => {
  const [earlier] = await registration.getNotifications({ tag: kind });
  const { ids = [], unverified = 0, hasMore = false, ...was } = earlier?.data || {};
  const isKnown = ids.includes(id);
  const all = isKnown ? ids : [...ids, id].slice(-MAX_IDS);
  const isSeveral = all.length > 1;
  const orMore = hasMore || (more && isSeveral);
  // Keep earlier advice to check the wallet: a late push may replace notifications that were never shown.
  const lookFirst = told.look_first || was.lookFirst;
  const doubts = unverified + (told.look_first && !isKnown ? 1 : 0);
  const which = orMore && unsure ? `, ${unsure}` : doubts ? `, ${doubts} not verified` : '';
  const newest = `${lookFirst ? `${lookFirst} ` : ''}The newest: ${title}.`;
  await registration.showNotification(isSeveral ? `${all.length}${orMore ? ' or more' : ''} ${many}${which}` : title, {
    body: isSeveral ? newest : body,
    tag: kind,
    renotify: !isKnown,
    icon: '/dashboard/app/icon/icon-192.png',
    badge: '/dashboard/app/icon/badge.png',
    data: { ids: all, unverified: doubts, lookFirst, hasMore: orMore, path: isSeveral ? list : path },
  });
  await count();
};

// Counts open tasks or, after sign-out, the device's unread notifications.
const count = async () => {
  if (!navigator.setAppBadge) return;
  const asked = await fetch(WAITING, { redirect: 'error', cache: 'no-store' })
    .then((answer) => (answer.ok ? answer.json() : {}))
    .catch(() => ({}));
  const shown = await registration.getNotifications();
  await navigator.setAppBadge(Number.isInteger(asked.waiting) ? asked.waiting : shown.length);
};

addEventListener('push', (event) => {
  event.waitUntil(show(event.data.json()));
});

const open = async (path) => {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const dashboard = windows.find(({ url }) => new URL(url).pathname.startsWith('/dashboard/'));
  if (!dashboard) return clients.openWindow(path);
  await dashboard.focus();
  return dashboard.navigate(path).catch(() => clients.openWindow(path));
};

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
