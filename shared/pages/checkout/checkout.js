// The checkout page's inline script: polls for the payment, counts down, copies, and submits claims in place. The page
// also works without this script. Texts are defined in `words` and referenced as `@key`. Use only syntax that browsers
// supported in 2018 (no `?.`, no `catch {`), because one unknown token disables the whole script.
(() => {
  // In browsers without AbortController (2017), the page reloads itself.
  if (!window.AbortController) return;
  const FIRST_MS = 20000;
  const USUAL_MS = 2500;
  const LIKELY_MS = 180000;
  const LIKELY_BACK_MS = 60000;
  const LATEST_MS = 60000;
  const UNVERIFIED_MS = 30000;
  const CHECKED_MS = 1000;
  const CHECKED_FOR_MS = 10000;
  const PATIENCE_MS = 10000;
  const PAUSE_MS = 3000;
  const FAILED = '@failed';

  const byId = (id) => document.getElementById(id);
  const page = byId('checkout');
  const path = page.dataset.path;
  const isPending = () => page.dataset.status === 'pending';
  // A page that waits for a stock code reloads itself.
  const isUnverified = () => page.dataset.status === 'look' && byId('awaited') === null;
  let likelyUntilMs = performance.now() + LIKELY_MS;
  let leastPauseMs = USUAL_MS;
  let askedMs = performance.now();
  let unverifiedAsksLeft = 20;
  let nextAsk;
  let nextLeave;
  let hasShared = false;
  let waitingWords = '';

  document.documentElement.classList.add('js');

  // Returns true if the service responded.
  async function ask() {
    let isAnswered = false;
    clearTimeout(nextAsk);
    if (!(isPending() || isUnverified()) || document.hidden) return isAnswered;
    askedMs = performance.now();
    try {
      if (isUnverified()) await renew();
      else {
        const { text } = await request(`${path}/status`, 'application/json');
        const { status, amount_paid: paid, checking } = JSON.parse(text).data;
        const isSame = String(paid) === page.dataset.paid && checking === (page.dataset.proof === 'now');
        if (status !== 'pending' || !isSame) await renew();
      }
      isAnswered = true;
    } catch (_error) {
      // Phones lose their network at times. Wait for the next poll.
    }
    askLater(pauseMs());
    return isAnswered;
  }

  // Requests an amber page again, at most twenty times. The payment may still be verified, reversed or sent back, and
  // the polled status does not show that.
  function askLater(pendingMs) {
    clearTimeout(nextAsk);
    if (document.hidden) return;
    if (isPending()) nextAsk = setTimeout(ask, pendingMs);
    else if (isUnverified() && unverifiedAsksLeft-- > 0) nextAsk = setTimeout(ask, UNVERIFIED_MS);
  }

  // Polls more often while a payment is likely: until three minutes after opening the page, or one minute after
  // returning to it. Polls fastest for ten seconds after the customer says that they paid.
  function pauseMs() {
    return Math.min(Math.max(leastPauseMs, (performance.now() - likelyUntilMs) / 8), LATEST_MS);
  }

  async function load(address) {
    const { text } = await request(address, 'text/html');
    // Drop the fetched style, whose nonce this page's policy would reject.
    const fresh = new DOMParser().parseFromString(text.replace(/<style[\s\S]*?<.style>/, ''), 'text/html');
    if (fresh.getElementById('checkout') === null) throw new Error('No page');
    return fresh;
  }

  // Copies only the changed parts into the open page, so that screen readers announce only the change.
  async function renew() {
    const fresh = await load(path + location.search);
    const freshPage = fresh.getElementById('checkout');
    const shown = ['status', 'paid', 'proof'];
    if (shown.every((name) => freshPage.dataset[name] === page.dataset[name])) return;
    const panel = byId('panel');
    const focused = document.activeElement;
    const hadFocus = panel.contains(focused);
    // The customer may be typing a claim when a part payment arrives.
    const isWaiting = isPending() && freshPage.dataset.status === 'pending';
    const typing = isWaiting ? panel.querySelector('.claim[open]:not(.text-me)') : null;
    for (const name of shown) page.dataset[name] = freshPage.dataset[name];
    document.title = fresh.title;
    for (const id of ['amount', 'mark', 'status', 'time', 'panel'])
      byId(id).innerHTML = fresh.getElementById(id).innerHTML;
    panel.classList.add('arrived');
    if (typing !== null) {
      panel.querySelector('.claim:not(.text-me)').replaceWith(typing);
      if (typing.contains(focused)) focused.focus({ preventScroll: true });
      return;
    }
    if (hadFocus) panel.querySelector('h2').focus({ preventScroll: true });
    scrollTo(0, 0);
    leave();
  }

  // Replaces the page in the history, so that the back button does not redirect again.
  function leave() {
    // Wait for the stock code.
    const awaited = byId('awaited');
    if (awaited !== null) setTimeout(() => location.reload(), awaited.dataset.seconds * 1000);
    const link = byId('back');
    if (link === null) return;
    byId('leaving').hidden = hasShared;
    if (!hasShared) nextLeave = setTimeout(() => location.replace(link.href), PAUSE_MS);
  }

  // Fetches a URL, or posts a form to it. Rejects on a timeout or an unexpected response.
  async function request(address, accept, form) {
    const patience = new AbortController();
    const end = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(address, {
        method: form ? 'POST' : 'GET',
        headers: { accept },
        body: form && new URLSearchParams(new FormData(form)),
        cache: 'no-store',
        signal: patience.signal,
      });
      const isBusy = answer.status >= 500 || (answer.status === 429 && !form);
      if (isBusy) throw new Error('Not now');
      return { status: answer.status, text: await answer.text() };
    } finally {
      clearTimeout(end);
    }
  }

  // The phone's clock may be wrong, so measure from the time when the page was rendered.
  const aheadMs = Date.now() - Date.parse(page.dataset.madeAt);
  function countDown() {
    if (!isPending()) return;
    const leftMs = Date.parse(page.dataset.expiresAt) - Date.now() + aheadMs;
    byId('time').textContent = waitingWords
      ? '@continues'
      : leftMs > 0
        ? timeLeft(Math.ceil(leftMs / 1000))
        : '@timeIsUp';
    if (leftMs > 0) setTimeout(countDown, 1000);
    else void ask();
  }

  function timeLeft(seconds) {
    const minutes = Math.floor(seconds / 60);
    if (minutes >= 120) return '@hoursLeft'.replace('{h}', Math.floor(minutes / 60));
    if (minutes >= 60) return '@minutesLeft'.replace('{min}', minutes);
    return '@secondsLeft'.replace('{min}', minutes).replace('{s}', String(seconds % 60).padStart(2, '0'));
  }

  // Click handlers by `data-` attribute. Links can still be opened in another tab.
  const actions = { copy: copyFrom, share, network: chooseNetwork, check };
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    for (const name of Object.keys(actions)) {
      const element = event.target.closest(`[data-${name}]`);
      if (element === null) continue;
      event.preventDefault();
      void actions[name](element);
    }
  });

  function copyFrom(button) {
    return copied(button, button.dataset.copy, button.dataset.said);
  }

  async function copied(button, text, said) {
    const word = button.querySelector('.word');
    const before = button.dataset.word || word.textContent;
    button.dataset.word = before;
    const done = await copy(text);
    word.textContent = done ? '@copied' : '@notCopied';
    byId('said').textContent = done ? said : '@copyingFailed';
    setTimeout(() => {
      word.textContent = before;
      byId('said').textContent = '';
    }, 2000);
  }

  // Shares the receipt without leaving the page.
  async function share(link) {
    clearTimeout(nextLeave);
    hasShared = true;
    if (byId('leaving') !== null) byId('leaving').hidden = true;
    const text = link.dataset.share;
    try {
      await navigator.share({ title: document.title, text, url: link.href });
    } catch (error) {
      // AbortError: the customer closed the share sheet. Any other error: sharing is unavailable.
      if (error.name !== 'AbortError') await copied(link, `${text} ${link.href}`, '@receiptCopied');
    }
  }

  async function chooseNetwork(link) {
    try {
      const fresh = await load(link.href);
      if (fresh.getElementById('how') === null) return await renew();
      byId('how').innerHTML = fresh.getElementById('how').innerHTML;
      const claim = byId('claim');
      if (claim) claim.setAttribute('action', fresh.getElementById('claim').getAttribute('action'));
      history.replaceState(null, '', link.href);
      byId('how').querySelector('[aria-current]').focus();
    } catch (_error) {
      say(FAILED);
    }
  }

  async function check() {
    const { paid } = page.dataset;
    leastPauseMs = CHECKED_MS;
    setTimeout(() => (leastPauseMs = USUAL_MS), CHECKED_FOR_MS);
    const isAnswered = await ask();
    if (page.dataset.paid === paid) say(isAnswered ? '@notHere' : FAILED);
  }

  function say(words) {
    const line = byId('checked');
    // The line for messages is missing once the charge is paid or ended.
    if (line === null) return;
    line.textContent = words;
    setTimeout(() => {
      line.textContent = '';
    }, 5000);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (_error) {
      // Fallback for browsers without access to the clipboard.
      const field = document.createElement('textarea');
      field.value = text;
      field.className = 'unseen';
      document.body.append(field);
      field.select();
      const done = document.execCommand('copy');
      field.remove();
      return done;
    }
  }

  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (form.id !== 'claim') return;
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      const { status, text } = await request(form.action, 'application/json', form);
      const { errors, message } = JSON.parse(text);
      byId('claim-next').hidden = ![422, 429].includes(status);
      if ([200, 409, 410].includes(status)) await renew();
      else showFault(errors ? errors[0].message : message, errors ? errors[0].field : 'transaction_id');
    } catch (_error) {
      showFault(FAILED, 'transaction_id');
    }
    button.disabled = false;
  });

  function showFault(message, field) {
    const fault = byId('claim-fault');
    fault.hidden = false;
    fault.textContent = message;
    for (const input of document.querySelectorAll('#claim input')) {
      if (input.name !== field) input.removeAttribute('aria-invalid');
      else {
        input.setAttribute('aria-invalid', 'true');
        input.focus();
      }
    }
  }

  // Submits the forms that request a claim code, send a claim code or have payment details texted.
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!['ask-code', 'confirm-code', 'text-me'].includes(form.id)) return;
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    showCodeFault(form);
    try {
      const { status, text } = await request(form.action, 'application/json', form);
      const { errors, message, data } = JSON.parse(text);
      if (status === 200 && data.status === 'pending' && form.id === 'text-me')
        byId('text-me-said').textContent = message;
      else if (status === 200 && data.status === 'pending') showCodeForm(message, form.elements.phone.value);
      else if ([200, 409, 410].includes(status)) await renew();
      else showCodeFault(form, errors ? errors[0].message : message);
    } catch (_error) {
      showCodeFault(form, FAILED);
    }
    button.disabled = false;
  });

  function showCodeForm(said, phone) {
    const form = byId('confirm-code');
    form.hidden = false;
    form.elements.phone.value = phone;
    form.elements.code.value = '';
    byId('code-said').textContent = said;
    form.elements.code.focus();
  }

  function showCodeFault(form, words) {
    const fault = byId(`${form.id}-fault`);
    const input = form.querySelector('.inline-field input');
    fault.hidden = words === undefined;
    fault.textContent = words || '';
    input.removeAttribute('aria-invalid');
    if (words === undefined) return;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  }

  // Checks immediately when the customer returns from dialling or from another window.
  function hurry() {
    const nowMs = performance.now();
    likelyUntilMs = Math.max(likelyUntilMs, nowMs + LIKELY_BACK_MS);
    clearTimeout(nextAsk);
    // Browsers fire both events at once.
    if (nowMs - askedMs > 1000) void ask();
    else nextAsk = setTimeout(ask, USUAL_MS);
  }
  document.addEventListener('visibilitychange', hurry);
  addEventListener('focus', hurry);

  // Shows that the phone is offline, and continues when it is online again.
  addEventListener('offline', () => {
    if (!isPending() || waitingWords) return;
    waitingWords = byId('status').textContent;
    byId('status').textContent = '@offline';
    page.classList.add('offline');
  });
  addEventListener('online', () => {
    if (isPending() && waitingWords) byId('status').textContent = waitingWords;
    waitingWords = '';
    page.classList.remove('offline');
    hurry();
  });

  countDown();
  askLater(FIRST_MS);
  leave();
  // Hides the refresh tag after this script, because browsers cannot cancel a refresh once parsed.
  document.write('<noscript>');
})();
