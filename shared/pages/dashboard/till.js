// The till's keypad, payment ages, sounds and voice, and taps that are resent until their outcome is known. Without
// this script, the page works through its forms and reloads itself.
(() => {
  const main = document.getElementById('main');
  const say = (words, seconds) => {
    const line = main.querySelector('[data-offline]');
    if (!line) return;
    line.textContent = (line.dataset[words] || '').replace('{s}', seconds);
    line.hidden = !words;
  };

  // Holds values while browser storage is unavailable or full. Lasts only as long as the page.
  const memory = {};
  const stored = (name, value) => {
    try {
      if (value) {
        localStorage.setItem(name, value);
        delete memory[name];
      }
      return memory[name] || localStorage.getItem(name) || '';
    } catch (_error) {
      if (value) memory[name] = value;
      return memory[name] || '';
    }
  };

  // Frequencies of each sound, in hertz.
  const SOUNDS = { paid: [880, 1320], check: [330, 262, 330], soft: [523], back: [440, 220] };
  let audio;
  const play = async (sound, after) => {
    try {
      audio = audio || new (window.AudioContext || window.webkitAudioContext)();
      // Until somebody taps the page, a browser may delay a sound, which would then seem to announce another payment.
      const askedMs = Date.now();
      await audio.resume();
      if (Date.now() - askedMs > 500) return;
      SOUNDS[sound].forEach((frequency, n) => {
        const tone = audio.createOscillator();
        const volume = audio.createGain();
        const start = audio.currentTime + after + n * 0.14;
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(sound === 'soft' ? 0.08 : 0.25, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
        tone.connect(volume).connect(audio.destination);
        tone.start(start);
        tone.stop(start + 0.3);
      });
    } catch (_error) {
      // If sound is unavailable, the page still turns green.
    }
  };

  const { speechSynthesis } = window;
  // `mute` if the browser cannot speak, and `tap` if it may only need a tap on the page.
  let silence = speechSynthesis ? '' : 'mute';
  const isOn = () => silence !== 'mute' && stored('till-voice') === 'on';
  let lostAt;
  let isTaking = false;
  const show = () => {
    const isTapNeeded = silence === 'tap' && isOn();
    if (!isTaking) say(lostAt ? 'lost' : isTapNeeded && 'tap', Math.round((Date.now() - lostAt) / 1000));
    const section = main.querySelector('[data-voice]');
    if (!section) return;
    section.hidden = false;
    const state = isOn() ? silence || 'on' : silence === 'mute' ? 'mute' : 'off';
    for (const part of section.querySelectorAll('[data-when]')) part.hidden = !part.dataset.when.includes(state);
  };

  // The browser speaks one utterance at a time, because queued words may become outdated. A browser that has not
  // finished after this time is treated as unable to speak.
  const SPOKEN_MS = 15_000;
  let saying;
  const speak = (words, refused) => {
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = main.querySelector('[data-voice]').dataset.language;
    let isBegun = false;
    const end = ({ error }) => {
      if (saying !== utterance) return;
      clearTimeout(timer);
      saying = undefined;
      if (error && !/^(canceled|interrupted)$/.test(error)) {
        silence = /failed|unavailable/.test(error) ? 'mute' : 'tap';
        // A browser that reports nothing may have spoken, and saying the words again would seem to announce another
        // payment.
        if (silence === 'tap' && error !== 'late') refused();
      }
      show();
      hear();
    };
    const timer = setTimeout(() => {
      if (saying !== utterance) return;
      utterance.onend = null;
      utterance.onerror = null;
      speechSynthesis.cancel();
      end({ error: isBegun ? '' : 'late' });
    }, SPOKEN_MS);
    utterance.onstart = () => {
      isBegun = true;
    };
    utterance.onend = end;
    utterance.onerror = end;
    saying = utterance;
    speechSynthesis.speak(utterance);
  };

  // Milliseconds by which the phone's clock is ahead of the server's.
  let ahead = 0;
  const age = () => {
    const list = main.querySelector('[data-now]');
    if (list && list.dataset.seen === undefined) {
      list.dataset.seen = '';
      // Counted from the request, because the device may have slept until the response.
      ahead = (main.dataset.askedMs || performance.timeOrigin) - Date.parse(list.dataset.now);
    }
    for (const time of main.querySelectorAll('[data-age]')) {
      const seconds = Math.max(0, Math.round((Date.now() - ahead - Date.parse(time.dateTime)) / 1000));
      const [size, unit] = seconds < 60 ? [1, 's'] : seconds < 3600 ? [60, 'min'] : [3600, 'h'];
      const shown = seconds < 10 ? 'now' : `${Math.floor(seconds / size)} ${unit} ago`;
      if (time.textContent !== shown) time.textContent = shown;
    }
    // A green box disappears after a while, because the next customer has not paid yet and could be mistaken for the
    // payer.
    for (const green of main.querySelectorAll('[data-until]'))
      if (Date.now() - ahead >= Date.parse(green.dataset.until)) green.remove();
  };

  const begin = () => {
    age();
    show();
    const keys = main.querySelector('[data-keys]');
    const amount = document.getElementById('amount');
    if (!keys || !amount) return;
    keys.hidden = false;
    // The page's own keypad replaces the phone's keyboard, which would cover arriving payments.
    amount.setAttribute('inputmode', 'none');
  };
  begin();

  // Announcements that wait for a tap on the page. Other tabs, or this page after a reload, may still say them.
  let refused = [];
  const HEARD = 'heard-at-till';
  const keyOf = ({ heard, sound, later = '' }) => heard + sound + later;
  const isHeard = (item) => {
    const known = [...refused, ...stored(HEARD).split(' ')];
    const key = keyOf(item);
    if (known.includes(key) || (!('until' in item) && known.includes(`${key}quiet`))) return true;
    return 'later' in item && !known.some((one) => one.startsWith(item.heard));
  };

  // Plays the announcements on the page up to the first one with words, each once per device, even if another till page
  // is open.
  const hearNext = () => {
    // The device may have slept while announcements waited.
    age();
    if (saying) return;
    const items = [...main.querySelectorAll('[data-heard]')].map(({ dataset }) => dataset);
    let after = 0;
    for (const item of items) {
      if (isHeard(item)) continue;
      const { sound, words } = item;
      // When a tap turns a payment green, the page makes a sound, even if it made none when the payment arrived.
      const isQuiet = !('until' in item || isOn());
      const alike = ({ sound: other, words: others }) => sound === 'check' && other === sound && others === words;
      const all = items.filter((one) => one === item || (alike(one) && !isHeard(one)));
      const keys = all.map((one) => keyOf(one) + (isQuiet ? 'quiet' : ''));
      if (silence === 'tap') refused.push(...keys);
      else stored(HEARD, [...keys, ...stored(HEARD).split(' ')].slice(0, 300).join(' '));
      if (isQuiet) continue;
      void play(sound, after++ / 2);
      if (words && isOn() && !silence)
        return speak(words, () => {
          refused = keys;
          const others = stored(HEARD).split(' ');
          stored(HEARD, others.filter((one) => !keys.includes(one)).join(' ') || ' ');
        });
    }
  };
  const hear = () => (navigator.locks ? navigator.locks.request(HEARD, hearNext) : hearNext());
  hear();

  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-action]');
    const action = button?.dataset.action;
    if (action === 'on' || action === 'off') stored('till-voice', action);
    if (action === 'off') {
      saying = undefined;
      speechSynthesis.cancel();
    } else if (silence === 'tap') {
      // Some browsers allow speech only while they handle the tap, so this cannot wait for other tabs.
      silence = '';
      refused = [];
      hearNext();
    }
    if ((action === 'on' || action === 'test') && !saying) {
      void play('paid', 0);
      speak(button.closest('[data-voice]').dataset.test, () => undefined);
    }
    show();
  });

  main.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-key]');
    const amount = document.getElementById('amount');
    if (!button || !amount) return;
    const { key } = button.dataset;
    const { value } = amount;
    if (key === 'delete') amount.value = value.slice(0, -1);
    else if (!(key === '.' && value.includes('.')) && !/\.\d\d$/.test(value) && value.length < 10)
      amount.value = value + key;
  });

  setInterval(age, 1000);

  // Keeps the screen on. A hidden page loses its lock, and the browser may refuse one, such as on a low battery.
  const stayAwake = () => {
    if (!document.hidden && navigator.wakeLock) navigator.wakeLock.request('screen').catch(() => undefined);
  };
  stayAwake();
  document.addEventListener('visibilitychange', stayAwake);

  // New payments move the list. A tap that has already started is meant for the payment that was at that position.
  let { version } = main.dataset;
  let movedAt = 0;
  main.addEventListener('click', (event) => {
    if (event.target.closest('button.payment-line') && Date.now() - movedAt < 500) event.preventDefault();
  });

  document.addEventListener('reach', ({ detail: isReached }) => {
    lostAt = isReached ? undefined : lostAt || Date.now();
    // If a payment could not be taken, the whole page is replaced.
    begin();
    if (isReached) hear();
    if (version !== main.dataset.version) movedAt = Date.now();
    version = main.dataset.version;
  });

  // A tap is resent until it gets a response. Its id ensures that it takes a payment only once.
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
    say('wait');
    while (Date.now() < endMs) {
      const askedMs = Date.now();
      try {
        const response = await fetch(form.action, { method: 'POST', body, cache: 'no-store' });
        if (response.status < 500) {
          const page = new DOMParser().parseFromString(await response.text(), 'text/html');
          const fresh = page.getElementById('main');
          if (!fresh) return location.assign(response.url);
          main.innerHTML = fresh.innerHTML;
          Object.assign(main.dataset, { version: '', soon: '', askedMs }, fresh.dataset);
          if (response.redirected) history.replaceState(null, '', response.url);
          isTaking = false;
          begin();
          hear();
          scrollTo(0, 0);
          return;
        }
      } catch (_error) {
        // If the connection is lost, the outcome of the tap is unknown.
      }
      say('again');
      await pause(2000);
    }
    isTaking = false;
    say('unknown');
    for (const button of form.querySelectorAll('button')) button.disabled = false;
  });
})();
