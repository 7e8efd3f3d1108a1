/** The page's style and script. They are inline, so that the page needs nothing from anywhere. */

export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f2ee, #14161a);
  --card: light-dark(#ffffff, #1e2127);
  --line: light-dark(#e4e0d8, #2e323a);
  --ink: light-dark(#1c1b19, #eceae6);
  --faint: light-dark(#6d6a63, #9b9a96);
  --bubble: light-dark(#e3f2e8, #1d3a2b);
  --accent: light-dark(#14804a, #4cc487);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 40px 24px; display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 40px; align-items: start; }
aside { position: sticky; top: 40px; }
h1 { font-size: 26px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 16px; line-height: 1.3; }
ul, ol { list-style: none; }
a { color: var(--accent); }
.lead { color: var(--faint); margin: 6px 0 20px; font-size: 14px; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }

.device { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 16px; }
.device + .device { margin-top: 12px; }
.device header { display: flex; justify-content: space-between; align-items: center; gap: 12px; }
.device header p { color: var(--faint); font-size: 13px; }
.device header b { color: var(--ink); }
.device ul { margin-top: 12px; border-top: 1px solid var(--line); transition: opacity 0.2s; }
.device.off ul { opacity: 0.5; }
.device li { display: flex; align-items: center; gap: 10px; padding-top: 10px; }
.slot { margin-left: auto; color: var(--faint); font-size: 13px; white-space: nowrap; }
.network { font-size: 12px; font-weight: 600; line-height: 20px; padding: 0 8px; border-radius: 10px; background: var(--line); }
.network.mtn { background: #ffcb05; color: #1c1b19; }
.network.telecel { background: #d8121f; color: #fff; }
.network.at { background: #1c4fa1; color: #fff; }

[role=switch] { flex: none; width: 48px; height: 28px; border: 0; border-radius: 14px; background: light-dark(#b9b5ac, #4a4f59); cursor: pointer; transition: background 0.2s; }
[role=switch]::before { content: ''; display: block; width: 22px; height: 22px; margin: 3px; border-radius: 50%; background: #fff; transition: transform 0.2s; }
[role=switch][aria-checked=true] { background: light-dark(#14804a, #2c9c62); }
[role=switch][aria-checked=true]::before { transform: translateX(20px); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

#texts li { padding-bottom: 22px; }
#texts header, #texts footer { display: flex; justify-content: space-between; gap: 4px 12px; flex-wrap: wrap; padding: 0 4px; }
#texts time, #texts footer, #foot { color: var(--faint); font-size: 13px; }
.bubble { background: var(--bubble); border-radius: 4px 16px 16px 16px; padding: 10px 14px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.state::before { content: '✓ '; }
.state.delivered { color: var(--accent); }
.state.delivered::before { content: '✓✓'; letter-spacing: -0.15em; margin-right: 0.45em; }
.empty { display: none; border: 1px dashed var(--line); border-radius: 16px; padding: 48px 24px; text-align: center; color: var(--faint); }
.empty strong { display: block; color: var(--ink); }
#texts:empty ~ .empty { display: block; }
#away { position: sticky; top: 0; z-index: 1; background: #b3261e; color: #fff; text-align: center; padding: 8px 16px; }

@media (max-width: 760px) {
  main { display: block; padding: 20px 16px; }
  aside { position: static; margin-bottom: 24px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

export const script = `
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;

async function refresh() {
  try {
    const response = await fetch('/');
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const id of ['devices', 'texts', 'foot']) merge(document.getElementById(id), fresh.getElementById(id));
    document.getElementById('away').hidden = true;
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

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[role=switch]');
  if (button === null) return;
  const on = button.getAttribute('aria-checked') !== 'true';
  const headers = { 'Content-Type': 'application/json' };
  await fetch('/switch', { method: 'POST', headers, body: JSON.stringify({ device_id: button.dataset.device, on }) }).catch(() => {});
  await refresh();
});

(async () => {
  for (;;) {
    await new Promise((done) => setTimeout(done, 1000));
    if (!document.hidden) await refresh();
  }
})();
`;
