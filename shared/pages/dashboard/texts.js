// Shows the number of SMS, the encoding and the cost while a text is typed. Must agree with
// `shared/texts/sms/segments.ts`.
(() => {
  const line = document.getElementById('size');
  const to = document.getElementById('to');
  const message = document.getElementById('message');
  if (!line || !to || !message) return;

  const BASIC =
    '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
  const EXTENDED = '\f^{}\\[~]|€';
  const NUMBER = new RegExp(line.dataset.number, 'g');

  const placesOf = (text) => [...text].map((one) => (EXTENDED.includes(one) ? 2 : 1));
  /** A character that counts twice is never split between two SMS. */
  const gsm7 = (text) => {
    const places = placesOf(text);
    if (places.reduce((sum, one) => sum + one, 0) <= 160) return 1;
    let count = 1;
    let left = 153;
    for (const size of places) {
      if (size > left) {
        count++;
        left = 153;
      }
      left -= size;
    }
    return count;
  };
  /** Emoji are not split either, if the browser can recognise them. */
  const ucs2 = (text) => {
    if (text.length <= 70) return 1;
    const graphemes = Intl.Segmenter ? new Intl.Segmenter('en').segment(text) : undefined;
    let count = 1;
    for (let start = 0; text.length - start > 67; count++) {
      const end = start + 67;
      const found = graphemes?.containing(end);
      start = found && found.index > start ? found.index : end;
    }
    return count;
  };
  const numbersOf = (text) => new Set((text.match(NUMBER) || []).map((one) => one.replace(/\D/g, '').slice(-9))).size;
  const some = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

  const show = () => {
    const text = message.value;
    const isGsm7 = [...text].every((one) => BASIC.includes(one) || EXTENDED.includes(one));
    const segments = isGsm7 ? gsm7(text) : ucs2(text);
    const { balance, safe } = line.dataset;
    const numbers = numbersOf(to.value);
    const cost =
      balance === undefined ? 'costs nothing, because it is a test' : `costs ${numbers} of ${balance} credits`;
    const warning = segments > Number(safe) ? ` Phones refuse more than ${safe} SMS: shorten it.` : '';
    line.textContent =
      to.value || text
        ? `${some(numbers, 'number')} · ${[...text].length} characters, ${segments} SMS in ${isGsm7 ? 'standard' : 'special'} characters · ${cost}.${warning}`
        : Number(balance) > 0
          ? `You have ${some(Number(balance), 'credit')}.`
          : '';
    line.classList.toggle('fault', balance !== undefined && numbers > Number(balance));
  };
  to.addEventListener('input', show);
  message.addEventListener('input', show);
  show();
})();
