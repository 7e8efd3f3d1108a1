const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const pay = document.getElementById('pay');
const receive = document.getElementById('receive');
const fields = pay.elements;
// Until somebody uses the form, the newest charge is selected.
let isTouched = false;
let awaited = null;

async function refresh() {
  try {
    const response = await fetch('/');
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const id of ['devices', 'charges', 'texts', 'foot'])
      merge(document.getElementById(id), fresh.getElementById(id));
    document.getElementById('away').hidden = true;
    await tellOutcome();
    pickNewest();
  } catch {
    document.getElementById('away').hidden = false;
  }
}

// Update only changed elements, to keep the selection and focus and avoid flickering.
function merge(list, fresh) {
  const gone = new Map([...list.children].map((item) => [item.id, item]));
  let here = list.firstElementChild;
  for (const item of [...fresh.children]) {
    const known = gone.get(item.id);
    gone.delete(item.id);
    if (known === undefined) {
      list.insertBefore(item, here);
      if (!calm)
        item.animate([{ opacity: 0, transform: 'translateY(-8px)' }, {}], { duration: 250, easing: 'ease-out' });
    } else {
      here = known.nextElementSibling;
      if (!known.isEqualNode(item)) update(known, item);
    }
  }
  for (const item of gone.values()) item.remove();
}

function update(known, item) {
  const same = known.childNodes.length === item.childNodes.length && known.nodeName === item.nodeName;
  if (known.nodeType !== 1 || !same) return known.replaceWith(item);
  for (const { name, value } of item.attributes) known.setAttribute(name, value);
  const children = [...item.childNodes];
  [...known.childNodes].forEach((child, index) => {
    if (!child.isEqualNode(children[index])) update(child, children[index]);
  });
}

// Reset the form once a payment counts. A held payment can be retried with other values.
async function tellOutcome() {
  if (awaited === null) return;
  const id = awaited;
  const { outcome } = await (await fetch(`/payments/${id}`)).json();
  if (outcome === null || id !== awaited) return;
  pay.querySelector('.outcome').textContent = `. ${outcome.message}`;
  awaited = null;
  if (!outcome.isCounted) return;
  pay.reset();
  isTouched = false;
  showFields();
}

function pickNewest() {
  const newest = document.querySelector('#charges input:not(:disabled)');
  if (isTouched || newest === null || newest.checked) return;
  newest.checked = true;
  pick(newest);
}

function pick({ value, dataset }) {
  fields.reference.value = value;
  fields.amount.value = dataset.amount;
  fields.name.value = dataset.name;
  fields.sim.value = dataset.sim;
  showFields();
}

// Not every network's receipts include the payer's number.
function showFields() {
  const tellsPhone = fields.sim.selectedOptions[0]?.dataset.tellsPhone !== undefined;
  document.querySelector('.payer-phone').hidden = !tellsPhone;
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

function simOf(form) {
  const [simNumber, ...device] = form.elements.sim.value.split('/');
  return { simNumber: Number(simNumber), device_id: device.join('/') };
}

async function submit(form, send) {
  const button = form.querySelector('button');
  const result = form.querySelector('.result');
  button.disabled = true;
  try {
    const { transaction_id, deliveries, late_seconds: lateSeconds } = await send();
    const refused = deliveries.find(({ status }) => !(status >= 200 && status < 300));
    const isForwarded = !refused && (deliveries.length > 0 || lateSeconds);
    result.className = isForwarded ? 'result done' : 'result wrong';
    result.textContent = lateSeconds
      ? `The SMS will arrive in ${lateSeconds} seconds.`
      : deliveries.length === 0
        ? 'The SMS arrived, but no webhook is registered for sms:received, so it was not forwarded.'
        : refused
          ? 'The SMS arrived, but the service does not have it yet: ' +
            (refused.error ?? `it responded with status ${refused.status}; the phone will retry.`)
          : 'The SMS arrived and the service accepted it' +
            (deliveries.length > 1 ? ` ${deliveries.length === 2 ? 'twice' : `${deliveries.length} times`}` : '') +
            '.';
    if (transaction_id) {
      const id = document.createElement('b');
      id.textContent = transaction_id;
      const outcome = document.createElement('span');
      outcome.className = 'outcome';
      result.append(' Transaction ID ', id, outcome);
      awaited = isForwarded ? transaction_id : null;
    }
  } catch (error) {
    result.className = 'result wrong';
    result.textContent = error.message;
  }
  button.disabled = false;
  await refresh();
}

pay.addEventListener('input', ({ target }) => {
  isTouched = true;
  if (target.name === 'charge') pick(target);
  showFields();
});

pay.addEventListener('submit', (event) => {
  event.preventDefault();
  isTouched = true;
  const { reference, name, amount, payerPhone, twice, late } = fields;
  const phone = document.querySelector('.payer-phone').hidden ? {} : { payerPhone: payerPhone.value };
  void submit(pay, () =>
    post('/pay', {
      reference: reference.value,
      name: name.value,
      amount: Number(amount.value),
      times: twice.checked ? 2 : 1,
      late: late.checked,
      ...simOf(pay),
      ...phone,
    }),
  );
});

receive.addEventListener('submit', (event) => {
  event.preventDefault();
  const { sender, message } = receive.elements;
  void submit(receive, () => post('/receive', { sender: sender.value, message: message.value, ...simOf(receive) }));
});

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button');
  if (button === null) return;
  const { device: device_id, texts, reverse, sendBack } = button.dataset;
  if (texts) await post('/texts', { device_id, texts }).catch(() => {});
  else if (reverse) await post('/reverse', { transaction_id: reverse }).catch(() => {});
  else if (sendBack) {
    const amount = prompt(
      'How much is sent back? The text closes a refund note only on a verified wallet; otherwise close it by hand.',
      button.dataset.amount,
    );
    const request = { transaction_id: sendBack, amount: Number(amount) };
    if (amount) await post('/send-back', request).catch(({ message }) => alert(message));
  } else if (device_id) {
    const on = button.getAttribute('aria-checked') !== 'true';
    await post('/switch', { device_id, on }).catch(() => {});
  } else return;
  await refresh();
});

// After a reload, the browser restores typed values, which may no longer match the selection.
pay.reset();
pickNewest();
showFields();

async function keepUp() {
  for (;;) {
    await new Promise((done) => setTimeout(done, 1000));
    if (!document.hidden) await refresh();
  }
}
void keepUp();
