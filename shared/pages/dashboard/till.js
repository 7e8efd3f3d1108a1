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

  // Replaces browser storage that is unavailable or full. Its content lasts only as long as the page.
  const memory = {};
  let isAlone = false;
  const stored = (name, value) => {
    if (value) memory[name] = value;
    try {
      if (value) localStorage.setItem(name, value);
      if (!isAlone) return localStorage.getItem(name) || '';
    } catch (_error) {
      isAlone = true;
    }
    return memory[name] || '';
  };

  // Frequencies of each sound, in hertz.
  const SOUNDS = { paid: [880, 1320], check: [330, 262, 330], soft: [523], back: [440, 220] };
  let audio;
  const play = (sound, after) => {
    try {
      audio = audio || new (window.AudioContext || window.webkitAudioContext)();
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
  const isOn = () => speechSynthesis && stored('till-voice') === 'on';
  const speak = (words) => {
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = main.querySelector('[data-voice]').dataset.language;
    speechSynthesis.speak(utterance);
  };
  const showVoice = () => {
    const section = main.querySelector('[data-voice]');
    if (!section) return;
    section.hidden = false;
    const state = speechSynthesis ? (isOn() ? 'on' : 'off') : 'mute';
    for (const part of section.querySelectorAll('[data-when]')) part.hidden = part.dataset.when !== state;
  };

  const begin = () => {
    showVoice();
    const keys = main.querySelector('[data-keys]');
    const amount = document.getElementById('amount');
    if (!keys || !amount) return;
    keys.hidden = false;
    // The page's own keypad replaces the phone's keyboard, which would cover arriving payments.
    amount.setAttribute('inputmode', 'none');
  };
  begin();

  // Plays each announcement listed on the page once per device, even if another till page is open.
  const hearOnce = () => {
    let after = 0;
    for (const { dataset } of main.querySelectorAll('[data-heard]')) {
      const { heard, sound, words } = dataset;
      const known = stored('heard-at-till').split(' ');
      const news = heard + sound + (dataset.later || '');
      if (known.includes(news) || ('later' in dataset && !known.some((one) => one.startsWith(heard)))) continue;
      stored('heard-at-till', [news, ...known].slice(0, 300).join(' '));
      if (!('green' in dataset || isOn())) continue;
      play(sound, after++ / 2);
      if (words && isOn()) speak(words);
    }
  };
  const hear = () => (navigator.locks ? navigator.locks.request('heard-at-till', hearOnce) : hearOnce());
  hear();

  main.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-action]');
    if (!button) return;
    const { action } = button.dataset;
    if (action !== 'test') stored('till-voice', action);
    showVoice();
    if (action === 'off') return speechSynthesis.cancel();
    play('paid', 0);
    speak(button.closest('[data-voice]').dataset.test);
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

  // Milliseconds by which the phone's clock is ahead of the server's.
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
    // A green box disappears after a while, because the next customer has not paid yet.
    for (const green of main.querySelectorAll('[data-until]'))
      if (Date.now() - ahead >= Date.parse(green.dataset.until)) green.remove();
  };
  setInterval(age, 1000);

  // New payments move the list. A tap that has already started is meant for the payment that was at that position.
  let { version } = main.dataset;
  let movedAt = 0;
  main.addEventListener('click', (event) => {
    if (event.target.closest('button.till-one') && Date.now() - movedAt < 500) event.preventDefault();
  });

  let lostAt;
  let isTaking = false;
  document.addEventListener('reach', ({ detail: isReached }) => {
    // If a payment could not be taken, the whole page is replaced.
    begin();
    if (isReached) hear();
    if (version !== main.dataset.version) movedAt = Date.now();
    version = main.dataset.version;
    if (isReached) lostAt = undefined;
    else lostAt = lostAt || Date.now();
    if (!isTaking) say(lostAt && 'lost', Math.round((Date.now() - lostAt) / 1000));
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
      try {
        const response = await fetch(form.action, { method: 'POST', body, cache: 'no-store' });
        if (response.status < 500) {
          const page = new DOMParser().parseFromString(await response.text(), 'text/html');
          const fresh = page.getElementById('main');
          if (!fresh) return location.assign(response.url);
          main.innerHTML = fresh.innerHTML;
          Object.assign(main.dataset, { version: '', soon: '' }, fresh.dataset);
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
