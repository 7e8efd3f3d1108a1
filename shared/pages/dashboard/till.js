// The till's keypad, payment ages, chime, and taps that repeat until their outcome is known. Without this script the
// page works by its forms and reloads itself.
(() => {
  const main = document.getElementById('main');
  const line = () => main.querySelector('[data-offline]');
  const say = (text) => {
    const shown = line();
    if (!shown) return;
    shown.textContent = text;
    shown.hidden = text === '';
  };

  let audio;
  const chime = () => {
    try {
      audio = audio || new (window.AudioContext || window.webkitAudioContext)();
      [880, 1320].forEach((frequency, n) => {
        const tone = audio.createOscillator();
        const volume = audio.createGain();
        const start = audio.currentTime + n * 0.14;
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(0.25, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
        tone.connect(volume).connect(audio.destination);
        tone.start(start);
        tone.stop(start + 0.3);
      });
    } catch (_error) {
      // Without sound, the page still turns green.
    }
  };

  const begin = () => {
    const keys = main.querySelector('[data-keys]');
    const amount = document.getElementById('amount');
    if (!keys || !amount) return;
    keys.hidden = false;
    // The page's own keypad replaces the phone's keyboard, which would hide arriving payments.
    amount.setAttribute('inputmode', 'none');
  };
  begin();

  // Payments at the sticker arrive unasked. Each chimes once, even if another till page is opened meanwhile.
  const HEARD = 'heard-at-till';
  const isNew = ({ dataset: { chime: reference } }) => {
    if (!reference) return true;
    try {
      const heard = (sessionStorage.getItem(HEARD) || '').split(' ');
      if (heard.includes(reference)) return false;
      sessionStorage.setItem(HEARD, [reference, ...heard].slice(0, 50).join(' '));
    } catch (_error) {
      // A browser without storage chimes again.
    }
    return true;
  };
  const hear = (what) => {
    if (Array.from(main.querySelectorAll(what)).filter(isNew).length > 0) chime();
  };
  hear('[data-chime]');

  main.addEventListener('click', ({ target }) => {
    const key = target.closest('[data-key]')?.dataset.key;
    const amount = document.getElementById('amount');
    if (!key || !amount) return;
    const { value } = amount;
    if (key === 'delete') amount.value = value.slice(0, -1);
    else if (!(key === '.' && value.includes('.')) && !/\.\d\d$/.test(value) && value.length < 10)
      amount.value = value + key;
  });

  // The phone's clock minus the server's, in milliseconds.
  let ahead = 0;
  const age = () => {
    const list = main.querySelector('[data-now]');
    if (list && list.dataset.seen === undefined) {
      list.dataset.seen = '';
      ahead = Date.now() - Date.parse(list.dataset.now);
    }
    for (const time of main.querySelectorAll('[data-age]')) {
      const seconds = Math.max(0, Math.round((Date.now() - ahead - Date.parse(time.dateTime)) / 1000));
      const [size, unit] = seconds < 60 ? [1, 's'] : seconds < 3600 ? [60, 'min'] : [3600, 'h'];
      const shown = `${Math.floor(seconds / size)} ${unit}`;
      if (time.textContent !== shown) time.textContent = shown;
    }
    // Green ends by itself, because the next customer has not paid for it.
    for (const green of main.querySelectorAll('[data-until]'))
      if (Date.now() - ahead >= Date.parse(green.dataset.until)) green.remove();
  };
  setInterval(age, 1000);

  // New payments move the list. A tap already on its way means the payment that was there before.
  let { version } = main.dataset;
  let movedAt = 0;
  main.addEventListener('click', (event) => {
    if (event.target.closest('button.till-one') && Date.now() - movedAt < 500) event.preventDefault();
  });

  let lostAt;
  let isTaking = false;
  document.addEventListener('reach', ({ detail: isReached }) => {
    if (isReached) hear('[data-chime^="MK-"]');
    if (version !== main.dataset.version) movedAt = Date.now();
    version = main.dataset.version;
    if (isReached) lostAt = undefined;
    else lostAt = lostAt || Date.now();
    if (isTaking) return;
    const seconds = lostAt ? Math.round((Date.now() - lostAt) / 1000) : 0;
    say(
      lostAt ? `No connection for ${seconds} s. What arrived since is not known here; what is green stays taken.` : '',
    );
  });

  // A tap is sent again until it is answered. Its id makes it take a payment only once.
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const GIVEN_UP_MS = 90_000;
  main.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('form[data-till]')) return;
    event.preventDefault();
    if (isTaking) return;
    isTaking = true;
    const body = new URLSearchParams(new FormData(form));
    const endMs = Date.now() + GIVEN_UP_MS;
    say('One moment …');
    while (Date.now() < endMs) {
      try {
        const response = await fetch(form.action, { method: 'POST', body, cache: 'no-store' });
        if (response.status < 500) {
          const page = new DOMParser().parseFromString(await response.text(), 'text/html');
          const fresh = page.getElementById('main');
          if (!fresh) return location.assign(response.url);
          main.innerHTML = fresh.innerHTML;
          main.dataset.version = fresh.dataset.version || '';
          if (response.redirected) history.replaceState(null, '', response.url);
          isTaking = false;
          begin();
          hear('[data-chime]');
          scrollTo(0, 0);
          return;
        }
      } catch (_error) {
        // Without a connection the outcome is unknown.
      }
      say('No answer yet. It is not known whether this payment was taken: do not hand anything over. Trying again …');
      await pause(2000);
    }
    isTaking = false;
    say('It is not known whether this payment was taken. When the connection is back, look at what was taken last.');
    for (const button of form.querySelectorAll('button')) button.disabled = false;
  });
})();
