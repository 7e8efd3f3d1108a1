(() => {
  const { documentElement: root } = document;
  root.classList.add('js');

  // A second tap sends nothing a second time, and the page says that it works.
  document.addEventListener('submit', ({ target }) => {
    for (const button of target.querySelectorAll('button:not([type="button"])')) {
      setTimeout(() => {
        button.disabled = true;
      });
    }
  });
  // A page that comes back by the browser's back button has its buttons again.
  addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll('form button')) button.disabled = false;
  });

  for (const button of document.querySelectorAll('[data-copy], [data-print]')) button.hidden = false;
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-print]')) print();
  });
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (!button || !navigator.clipboard) return;
    navigator.clipboard.writeText(button.dataset.copy).then(() => {
      const before = button.innerHTML;
      button.textContent = 'Copied';
      setTimeout(() => {
        button.innerHTML = before;
      }, 2000);
    });
  });

  // As an app it has a page where there is no network. In a browser's window nothing is installed unasked.
  if (navigator.serviceWorker && matchMedia('(display-mode: standalone)').matches)
    navigator.serviceWorker.register('/dashboard/app/worker.js', { scope: '/dashboard/' }).catch(() => undefined);

  const main = document.getElementById('main');

  // How much waits, on the icon of an app; nothing once its person has signed out.
  const badge = () => {
    const waiting = main?.querySelector('[data-waiting]');
    const isOut = document.body.classList.contains('alone');
    if (navigator.setAppBadge && (waiting || isOut))
      navigator.setAppBadge(isOut ? 0 : Number(waiting.dataset.waiting)).catch(() => undefined);
  };
  badge();

  const seconds = Number(main?.dataset.refresh);
  if (!seconds) return;

  /** Whether somebody types, or has something open that a new page would close. */
  const isBusy = () => {
    const { activeElement } = document;
    return (
      main.querySelector('details[open]') !== null ||
      (main.contains(activeElement) && /^(INPUT|TEXTAREA|SELECT)$/.test(activeElement.tagName))
    );
  };

  // Only what has an id and reads otherwise is replaced, so that nothing else moves.
  const take = (page) => {
    const fresh = page.getElementById('main');
    if (!fresh) return location.reload();
    main.dataset.version = fresh.dataset.version || '';
    const parts = main.querySelectorAll('[data-part]');
    const whole = fresh.querySelectorAll('[data-part]');
    if (parts.length === 0 || parts.length !== whole.length) main.innerHTML = fresh.innerHTML;
    else
      parts.forEach((part, n) => {
        if (part.innerHTML !== whole[n].innerHTML) part.innerHTML = whole[n].innerHTML;
      });
    badge();
  };

  const refresh = async () => {
    if (document.hidden || isBusy()) return;
    const { version } = main.dataset;
    const response = await fetch(location.href.split('#')[0], {
      headers: version ? { 'if-none-match': `"${version}"` } : {},
      cache: 'no-store',
    });
    if (response.status === 304) return;
    // The session has ended: the page leads to where one signs in.
    if (response.redirected) return location.reload();
    if (!response.ok || isBusy()) return;
    take(new DOMParser().parseFromString(await response.text(), 'text/html'));
  };

  // Without a connection it is tried again.
  setInterval(() => refresh().catch(() => undefined), seconds * 1000);
})();
