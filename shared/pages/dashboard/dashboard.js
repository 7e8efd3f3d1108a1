(() => {
  const { documentElement: root } = document;
  root.classList.add('js');

  // Ignores a second tap and shows that the page is working.
  document.addEventListener('submit', ({ target }) => {
    for (const button of target.querySelectorAll('button:not([type="button"])')) {
      setTimeout(() => {
        button.disabled = true;
      });
    }
  });
  // Enables the buttons again when the back button restores the page.
  addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll('form button')) button.disabled = false;
  });

  for (const button of document.querySelectorAll('[data-copy], [data-print]')) button.hidden = false;
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-print]')) print();
  });
  // The share sheet also offers WhatsApp. After any error except a closed sheet, WhatsApp opens, as it does without
  // JavaScript.
  if (navigator.share) {
    for (const button of document.querySelectorAll('[data-share]')) button.textContent = 'Share';
    document.addEventListener('click', (event) => {
      const button = event.target.closest('[data-share]');
      if (!button) return;
      event.preventDefault();
      navigator.share({ text: button.dataset.share }).catch(({ name }) => {
        if (name !== 'AbortError') open(button.href, '_blank', 'noreferrer');
      });
    });
  }
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

  // Shrinks an image until it fits its field. Without JavaScript, the service rejects images that are too large.
  document.addEventListener('change', async ({ target }) => {
    const [file] = target.files || [];
    if (!file || !target.dataset.shrink || file.size <= Number(target.dataset.shrink)) return;
    const button = target.form.querySelector('button:not([type="button"])');
    button.disabled = true;
    try {
      const picture = await createImageBitmap(file);
      const canvas = document.createElement('canvas');
      for (const side of [384, 256, 192, 128, 96]) {
        const scale = Math.min(1, side / Math.max(picture.width, picture.height));
        canvas.width = Math.round(picture.width * scale);
        canvas.height = Math.round(picture.height * scale);
        canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
        const blob = await new Promise((done) => canvas.toBlob(done, 'image/webp', 0.8));
        if (!blob || blob.size > Number(target.dataset.shrink)) continue;
        const files = new DataTransfer();
        files.items.add(new File([blob], 'logo', { type: blob.type }));
        target.files = files.files;
        break;
      }
    } catch (_error) {
      // If this browser cannot draw the file, the service explains the problem.
    }
    button.disabled = false;
  });

  // Only the installed app registers the service worker, which contains the offline page.
  if (navigator.serviceWorker && matchMedia('(display-mode: standalone)').matches)
    navigator.serviceWorker.register('/dashboard/app/worker.js', { scope: '/dashboard/' }).catch(() => undefined);

  const main = document.getElementById('main');

  // On a phone, the tabs are on one line, and the current tab may be off screen.
  for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
    const { parentElement: line } = tab;
    line.scrollLeft = tab.offsetLeft - line.offsetLeft - (line.clientWidth - tab.offsetWidth) / 2;
  }

  // Shows the number of open tasks on the app icon. Signing out clears it.
  const badge = () => {
    const waiting = document.querySelector('main [data-waiting]');
    const isOut = document.body.matches('.alone');
    if (navigator.setAppBadge && (waiting || isOut))
      navigator.setAppBadge(isOut ? 0 : Number(waiting.dataset.waiting)).catch(() => undefined);
  };
  badge();

  // A form is lost if the session has ended or the passkey is needed again. This tab keeps the typed values until the
  // same person is back at the form. It keeps neither files nor what is typed to sign in.
  const UNSENT = 'unsent-form';
  const TYPED = 'textarea, select, input:not([type="hidden"]):not([type="file"])';
  const { person } = document.body.dataset;
  const keep = (form) => {
    try {
      if (form) sessionStorage.setItem(UNSENT, JSON.stringify(form));
      return JSON.parse(sessionStorage.getItem(UNSENT)) || {};
    } catch (_error) {
      // Without storage, or if a form is larger than the browser’s limit, the person types it again.
      return {};
    }
  };
  document.addEventListener('submit', ({ target: form }) => {
    if (person && !form.querySelector('[data-passkey]'))
      keep({ person, action: form.getAttribute('action'), typed: [...new FormData(form)] });
  });

  const unfold = (inner) => {
    const fold = inner.closest('details');
    if (!fold) return;
    fold.open = true;
    unfold(fold.parentNode);
  };
  const fillIn = (form, typed) => {
    unfold(form);
    for (const field of form.querySelectorAll(TYPED)) {
      const values = typed.filter(([name]) => name === field.name).map(([, value]) => value);
      const isTick = /^(checkbox|radio)$/.test(field.type);
      const [property, value] = isTick ? ['checked', values.includes(field.value)] : ['value', values[0] || ''];
      if (field[property] !== value) unfold(field);
      field[property] = value;
    }
    form.insertAdjacentHTML(
      'afterbegin',
      '<p class="notice look" tabindex="-1">Nothing was done yet. What you typed is here again: check it, then send it.</p>',
    );
    form.firstChild.focus();
  };
  const kept = keep();
  if (/[?&]unsent=/.test(location.search)) keep(Object.assign(kept, { isUnsent: true }));
  else if (person || !kept.isUnsent) {
    keep({});
    if (kept.isUnsent && kept.person === person)
      // A refresh would discard the values.
      for (const form of document.querySelectorAll(`main form[action="${kept.action}"]`))
        if (form.querySelector(TYPED)) return fillIn(form, kept.typed);
  }

  if (!main?.dataset.refresh) return;

  /** True while somebody is typing, or has something open that a new page would close. */
  const isBusy = () => {
    const { activeElement } = document;
    const replaced = main.querySelector('[data-part]') ? '[data-part] ' : '';
    return (
      main.querySelector(`${replaced}details[open]`) !== null ||
      // The till's keypad fills its field, which may have the focus all day.
      (main.contains(activeElement) &&
        activeElement.inputMode !== 'none' &&
        /^(INPUT|TEXTAREA|SELECT)$/.test(activeElement.tagName))
    );
  };

  // Replaces only elements whose content changed, so that nothing else moves.
  const take = (page, askedMs) => {
    const fresh = page.getElementById('main');
    if (!fresh) return location.reload();
    Object.assign(main.dataset, { version: '', soon: '', askedMs }, fresh.dataset);
    const parts = main.querySelectorAll('[data-part]');
    const whole = fresh.querySelectorAll('[data-part]');
    if (parts.length === 0 || parts.length !== whole.length) main.innerHTML = fresh.innerHTML;
    else
      parts.forEach((part, n) => {
        if (part.innerHTML !== whole[n].innerHTML) part.innerHTML = whole[n].innerHTML;
      });
    badge();
    // Counts next to links are outside the replaced parts.
    const counts = page.querySelectorAll('[data-count]');
    document.querySelectorAll('[data-count]').forEach((count, n) => {
      count.innerHTML = counts[n] ? counts[n].innerHTML : '';
    });
  };

  const PATIENCE_MS = 10_000;
  /** Returns false if no request was sent. */
  const refresh = async () => {
    if (document.hidden || isBusy()) return false;
    const { version } = main.dataset;
    const askedMs = Date.now();
    const patience = new AbortController();
    const end = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const response = await fetch(location.href.split('#')[0], {
        headers: version ? { 'if-none-match': `"${version}"` } : {},
        cache: 'no-store',
        signal: patience.signal,
      });
      if (response.status === 304) return true;
      if (response.redirected) return location.reload();
      if (!response.ok) throw new Error(response.status);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      // In the meantime, the response to a tap may have shown a newer page.
      if (!isBusy() && version === main.dataset.version) take(page, askedMs);
      return true;
    } finally {
      clearTimeout(end);
    }
  };

  // While a change is expected, the page sets a shorter pause. That pause applies for two minutes after the last
  // change.
  const SOON_FOR_MS = 120_000;
  let changedMs = performance.now();
  let shown = main.dataset.version;
  const pauseMs = () => {
    if (shown !== main.dataset.version) changedMs = performance.now();
    shown = main.dataset.version;
    const { soon, refresh } = main.dataset;
    return 1000 * (performance.now() - changedMs < SOON_FOR_MS ? soon || refresh : refresh);
  };

  // Keeps retrying while offline. Pages with a `reach` listener are notified of each failure and recovery.
  const report = (isReached) => document.dispatchEvent(new CustomEvent('reach', { detail: isReached }));
  const poll = () =>
    refresh().then(
      (hasAsked) => hasAsked && report(true),
      () => report(false),
    );
  const repeat = () => setTimeout(() => poll().then(repeat), pauseMs());
  repeat();
})();
