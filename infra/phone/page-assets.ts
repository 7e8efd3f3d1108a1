/** The page's style and script. They are inline, so that the page needs nothing from anywhere. */

export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f2ee, #14161a);
  --card: light-dark(#ffffff, #1e2127);
  --line: light-dark(#e4e0d8, #2e323a);
  --edge: light-dark(#8d887d, #737986);
  --ink: light-dark(#1c1b19, #eceae6);
  --faint: light-dark(#67645d, #a3a19c);
  --sent: light-dark(#dcf0e3, #1d3a2b);
  --received: light-dark(#ffffff, #262a32);
  --accent: light-dark(#0f6e3f, #4cc487);
  --button: light-dark(#14804a, #1f7f4f);
  --wrong: light-dark(#b3261e, #f2938c);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 24px; display: grid; grid-template-columns: 380px minmax(0, 1fr); gap: 0 48px; align-items: start; }
h1 { font-size: 26px; line-height: 1.2; letter-spacing: -0.02em; }
h2, summary { font-size: 16px; font-weight: 600; line-height: 1.3; }
ul, ol { list-style: none; }
a { color: var(--accent); }
code { font-size: 13px; }
.top { grid-column: 1 / -1; margin-bottom: 24px; }
.lead { color: var(--faint); margin-top: 6px; font-size: 14px; max-width: 72ch; }
.faint, .hint { color: var(--faint); font-size: 13px; font-weight: 400; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 16px; margin-bottom: 12px; }

.device header { display: flex; justify-content: space-between; align-items: center; gap: 12px; }
.device header p { color: var(--faint); font-size: 13px; }
.device header b { color: var(--ink); }
.device ul { margin-top: 12px; border-top: 1px solid var(--line); transition: opacity 0.2s; }
.device.off ul { opacity: 0.5; }
.device li { display: flex; align-items: center; gap: 10px; padding-top: 10px; }
.slot { margin-left: auto; color: var(--faint); font-size: 13px; white-space: nowrap; }
.network { font-size: 12px; font-weight: 600; line-height: 20px; padding: 0 8px; border-radius: 10px; background: var(--line); color: var(--ink); white-space: nowrap; display: inline-block; }
.network.mtn { background: #ffcb05; color: #1c1b19; }
.network.telecel { background: #d8121f; color: #fff; }
.network.at { background: #1c4fa1; color: #fff; }

[role=switch] { flex: none; width: 48px; height: 28px; border: 0; border-radius: 14px; background: light-dark(#8d887d, #5a606c); cursor: pointer; transition: background 0.2s; }
[role=switch]::before { content: ''; display: block; width: 22px; height: 22px; margin: 3px; border-radius: 50%; background: #fff; transition: transform 0.2s; }
[role=switch][aria-checked=true] { background: light-dark(#14804a, #2c9c62); }
[role=switch][aria-checked=true]::before { transform: translateX(20px); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

form > label, .row { display: block; margin-top: 12px; }
label { font-size: 13px; font-weight: 600; }
input:not([type=radio], [type=checkbox]), select, textarea { display: block; width: 100%; margin-top: 4px; padding: 8px 10px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page); color: var(--ink); font: 15px/1.4 system-ui, sans-serif; }
textarea { resize: vertical; }
input[type=radio], input[type=checkbox] { accent-color: var(--button); width: 16px; height: 16px; flex: none; }
.row { display: flex; gap: 12px; }
.row label { flex: 1; min-width: 0; }
.row .short { flex: 0 0 118px; }
.hint { margin-top: 4px; line-height: 1.4; }
form > .check { display: flex; gap: 10px; align-items: start; cursor: pointer; }
.check input { margin-top: 2px; }
.check .hint { display: block; margin-top: 0; }
form button { width: 100%; margin-top: 16px; padding: 11px 16px; border: 0; border-radius: 10px; background: var(--button); color: #fff; font: 600 15px/1.4 system-ui, sans-serif; cursor: pointer; }
/* In sight however long the form is. */
#pay button { position: sticky; bottom: 12px; box-shadow: 0 0 0 12px var(--card); }
form button:hover { filter: brightness(1.08); }
form button:disabled { opacity: 0.6; cursor: default; }
.result { font-size: 14px; line-height: 1.4; }
.result:not(:empty) { margin-top: 12px; }
.result b { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; user-select: all; }
.result.done::before { content: '✓ '; color: var(--accent); font-weight: 700; }
.result.wrong { color: var(--wrong); }
summary { cursor: pointer; }

fieldset { border: 0; margin-top: 12px; min-width: 0; }
legend { font-size: 13px; font-weight: 600; }
#charges { margin-top: 4px; border: 1px solid var(--line); border-radius: 10px; max-height: 292px; overflow-y: auto; }
#charges:empty { display: none; }
#charges li { position: relative; padding: 10px 12px; }
#charges li + li { border-top: 1px solid var(--line); }
#charges li:has(:checked) { background: var(--sent); }
#charges label { display: flex; gap: 10px; cursor: pointer; font-weight: 400; }
#charges label:has(:disabled) { cursor: default; color: var(--faint); }
#charges input { margin-top: 3px; }
.what { min-width: 0; }
.what > * { display: block; overflow-wrap: anywhere; }
.what b { font-size: 15px; padding-right: 90px; }
.what .about { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.what .network { line-height: 18px; }
#charges a { position: absolute; top: 10px; right: 12px; font-size: 13px; line-height: 22px; }
.none { display: none; color: var(--faint); font-size: 13px; border: 1px dashed var(--line); border-radius: 10px; padding: 10px 12px; margin-top: 4px; }
#charges:empty ~ .none { display: block; }

#texts { margin-top: 12px; }
#texts li { padding-bottom: 20px; max-width: 560px; width: fit-content; min-width: min(100%, 300px); }
#texts .sent { margin-left: auto; }
#texts header, #texts footer { display: flex; justify-content: space-between; gap: 0 12px; flex-wrap: wrap; padding: 0 4px; font-size: 13px; color: var(--faint); }
#texts header b { color: var(--ink); font-size: 15px; }
#texts time { align-self: end; }
#foot { color: var(--faint); font-size: 13px; }
.bubble { padding: 10px 14px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.sent .bubble { background: var(--sent); border: 1px solid transparent; border-radius: 16px 4px 16px 16px; }
.received .bubble { background: var(--received); border: 1px solid var(--line); border-radius: 4px 16px 16px 16px; }
.state::before { content: '✓ '; }
.state.delivered { color: var(--accent); }
.state.delivered::before { content: '✓✓'; letter-spacing: -0.15em; margin-right: 0.45em; }
.empty { display: none; border: 1px dashed var(--line); border-radius: 16px; padding: 48px 24px; margin-top: 12px; text-align: center; color: var(--faint); }
.empty strong { display: block; color: var(--ink); }
#texts:empty ~ .empty { display: block; }
#away { position: sticky; top: 0; z-index: 1; background: #b3261e; color: #fff; text-align: center; padding: 8px 16px; }

@media (max-width: 860px) {
  main { display: block; padding: 20px 16px; }
  .top { margin-bottom: 16px; }
  section { margin-top: 24px; }
  #texts li { max-width: 90%; }
  /* A phone's browser zooms into a field whose letters are smaller. */
  input:not([type=radio], [type=checkbox]), select, textarea { font-size: 16px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

export const script = `
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const pay = document.getElementById('pay');
const receive = document.getElementById('receive');
const fields = pay.elements;
// Until somebody uses the form, it shows the newest charge.
let isTouched = false;
// The charge that was picked for the last payment, until it is known whether it was confirmed.
let awaited = null;

async function refresh() {
  try {
    const response = await fetch('/');
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const id of ['devices', 'charges', 'texts', 'foot']) merge(document.getElementById(id), fresh.getElementById(id));
    document.getElementById('away').hidden = true;
    tellOutcome();
    pickNewest();
  } catch {
    document.getElementById('away').hidden = false;
  }
}

// Touches only what changed, so that nothing flickers and a selection or the focus stays.
function merge(list, fresh) {
  const gone = new Map([...list.children].map((item) => [item.id, item]));
  let here = list.firstElementChild;
  for (const item of [...fresh.children]) {
    const known = gone.get(item.id);
    gone.delete(item.id);
    if (known === undefined) {
      list.insertBefore(item, here);
      if (!calm) item.animate([{ opacity: 0, transform: 'translateY(-8px)' }, {}], { duration: 250, easing: 'ease-out' });
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

// A confirmed charge leaves the list within a second or so; the form is then ready for the next one.
function tellOutcome() {
  if (awaited === null) return;
  const result = pay.querySelector('.result');
  const waits = [...document.querySelectorAll('#charges input')].some(({ value }) => value === awaited.reference);
  if (!waits) {
    result.append(awaited.reference === '' ? '' : '. ' + awaited.reference + ' is paid.');
    pay.reset();
    isTouched = false;
    awaited = null;
    showFields();
  } else if (--awaited.looks === 0) {
    result.append('. It confirmed no charge, so it is held: claim it on the checkout page by this ID.');
    awaited = null;
  }
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

// Only Telecel's receipts carry the payer's number.
function showFields() {
  const network = fields.sim.selectedOptions[0]?.dataset.network ?? '';
  document.querySelector('.telecel-only').hidden = !/^telecel/i.test(network);
}

async function post(path, body) {
  const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

function simOf(form) {
  const [simNumber, ...device] = form.elements.sim.value.split('/');
  return { simNumber: Number(simNumber), device_id: device.join('/') };
}

function pickedCharge() {
  return pay.querySelector('input[name=charge]:checked')?.value ?? '';
}

async function submit(form, send) {
  const button = form.querySelector('button');
  const result = form.querySelector('.result');
  button.disabled = true;
  try {
    const { transaction_id, deliveries } = await send();
    const refused = deliveries.find(({ status }) => !(status >= 200 && status < 300));
    result.className = refused || deliveries.length === 0 ? 'result wrong' : 'result done';
    result.textContent = deliveries.length === 0
      ? 'The SMS arrived, but no webhook wants sms:received: nobody was told.'
      : refused
        ? 'The SMS arrived, but the service does not have it yet: ' + (refused.error ?? 'it answered ' + refused.status + '; the phone tries again.')
        : 'The SMS arrived and the service took it' + (deliveries.length > 1 ? ' ' + (deliveries.length === 2 ? 'twice' : deliveries.length + ' times') : '') + '.';
    if (transaction_id) {
      const id = document.createElement('b');
      id.textContent = transaction_id;
      result.append(' Transaction ID ', id);
      awaited = refused || deliveries.length === 0 ? null : { reference: pickedCharge(), looks: 3 };
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
  const { reference, name, amount, payerPhone, twice } = fields;
  const phone = document.querySelector('.telecel-only').hidden ? {} : { payerPhone: payerPhone.value };
  submit(pay, () => post('/pay', {
    reference: reference.value,
    name: name.value,
    amount: Number(amount.value),
    times: twice.checked ? 2 : 1,
    ...simOf(pay),
    ...phone,
  }));
});

receive.addEventListener('submit', (event) => {
  event.preventDefault();
  const { sender, message } = receive.elements;
  submit(receive, () => post('/receive', { sender: sender.value, message: message.value, ...simOf(receive) }));
});

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[role=switch]');
  if (button === null) return;
  const on = button.getAttribute('aria-checked') !== 'true';
  await post('/switch', { device_id: button.dataset.device, on }).catch(() => {});
  await refresh();
});

// A browser that reloads keeps what was typed, which may no longer fit what is picked.
pay.reset();
pickNewest();
showFields();

(async () => {
  for (;;) {
    await new Promise((done) => setTimeout(done, 1000));
    if (!document.hidden) await refresh();
  }
})();
`;
