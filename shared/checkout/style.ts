/**
 * The page's style, inline under a nonce. Colours are chosen by media query and not by `light-dark()`, which the phones that
 * people keep for years do not know; those get a plain size before each `clamp()`, too. Every text stands at 4.5 : 1 or more
 * on its ground, every edge of a control at 3 : 1.
 */
export const style = `
:root {
  --page: #f4f2ee; --card: #ffffff; --field: #faf9f6; --line: #e4e0d8; --edge: #8a867c;
  --ink: #1c1b19; --faint: #66635b; --accent: #0f7341; --on-accent: #ffffff; --fault: #a81f17;
  --bad: #fbe9e4; --bad-ink: #8c2413; --mark: #ffe98a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1e2127; --field: #262a31; --line: #343943; --edge: #7d828c;
    --ink: #eceae6; --faint: #a9a8a3; --accent: #4cc487; --on-accent: #0b1f15; --fault: #ff9d92;
    --bad: #47231c; --bad-ink: #ffc3b5; --mark: #6b5800;
  }
}
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
html { scroll-padding-top: 88px; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: break-word; }
main { max-width: 520px; margin: 0 auto; min-height: 100vh; display: flex; flex-direction: column; }
h1 { font-size: 16px; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 19px; line-height: 1.3; letter-spacing: -0.01em; }
h1, h2, .outcome p, .notice p { text-wrap: balance; }
h2:focus { outline: none; }
b, strong { font-weight: 600; }
ol, ul { list-style: none; }
a { color: var(--accent); }
svg { width: 1.25em; height: 1.25em; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
button, input { font: inherit; color: inherit; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.hint { color: var(--faint); font-size: 14px; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.side { display: contents; }
.summary { padding: 24px 20px 16px; display: grid; grid-template-columns: 40px 1fr; align-items: center; column-gap: 12px; }
.monogram { width: 40px; height: 40px; border-radius: 12px; background: var(--ink); color: var(--page); font-weight: 600; font-size: 18px; line-height: 40px; text-align: center; text-transform: uppercase; }
.amount { grid-column: 1 / -1; margin-top: 14px; font-size: 40px; font-size: clamp(36px, 11.5vw, 48px); line-height: 1.1; font-weight: 700; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; }
.amount span { color: var(--faint); font-size: 0.5em; font-weight: 600; letter-spacing: 0; }
.description { grid-column: 1 / -1; margin-top: 6px; color: var(--faint); white-space: pre-line; overflow-wrap: anywhere; }

.bar { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 12px; min-height: 68px; padding: 10px 20px; background: var(--card); border: 1px solid var(--line); border-width: 1px 0; transition: background-color 0.4s, color 0.4s; }
.bar p { line-height: 1.35; }
.bar strong, .bar p > span { display: block; }
.bar p > span { font-size: 14px; color: var(--faint); font-variant-numeric: tabular-nums; min-height: 1.35em; }
.mark { display: grid; place-items: center; width: 28px; height: 28px; flex: none; }
.mark svg { width: 28px; height: 28px; stroke-width: 2.5; }
.spinner { width: 24px; height: 24px; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1.1s linear infinite; }
[data-status=success] .bar { background: var(--accent); color: var(--on-accent); border-color: transparent; }
[data-status=expired] .bar, [data-status=reversed] .bar { background: var(--bad); color: var(--bad-ink); border-color: transparent; }
[data-status=success] .bar p > span, [data-status=expired] .bar p > span, [data-status=reversed] .bar p > span { color: inherit; }

.panel { order: 1; background: var(--card); padding: 24px 20px 40px; flex: 1; }
.steps { counter-reset: step; margin-top: 20px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.steps li { counter-increment: step; }
.steps li > p:first-child { position: relative; padding-left: 36px; min-height: 26px; }
.steps li > p:first-child::before { content: counter(step); position: absolute; left: 0; top: -1px; width: 26px; height: 26px; border-radius: 50%; background: var(--page); font-size: 14px; line-height: 26px; font-weight: 600; text-align: center; }
.steps .hint { margin-top: 8px; }
.steps p + .hint { margin: 4px 0 0 36px; }

.dial, .button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 52px; padding: 8px 24px; border: 0; border-radius: 14px; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; cursor: pointer; }
.dial { display: flex; margin-top: 12px; font-size: 18px; font-variant-numeric: tabular-nums; background: var(--ink); color: var(--page); }

.wallet, .reference { display: flex; align-items: center; justify-content: space-between; gap: 8px; margin-top: 12px; padding: 14px 14px 14px 18px; border-radius: 16px; }
.wallet p { min-width: 0; line-height: 1.35; }
.wallet p > * { display: block; }
.wallet .number { font-size: 22px; font-size: clamp(20px, 6.2vw, 24px); letter-spacing: -0.01em; }
.network { font-size: 14px; font-weight: 600; }
.account { font-size: 14px; overflow-wrap: anywhere; }
.mtn.wallet { background: #ffcb05; color: #1c1b19; }
.telecel.wallet { background: #d1101c; color: #ffffff; }
.at.wallet { background: #1c4fa1; color: #ffffff; box-shadow: inset 0 -6px 0 #e4002b; padding-bottom: 20px; }
.reference { border: 1.5px dashed var(--edge); background: var(--field); }
.reference .number { font-size: 17px; font-size: clamp(16px, 5vw, 18px); }

.copy { display: inline-flex; align-items: center; justify-content: center; gap: 6px; flex: none; min-width: 98px; min-height: 48px; padding: 0 8px; border: 0; border-radius: 12px; background: var(--ink); color: var(--page); font-weight: 600; font-size: 15px; cursor: pointer; visibility: hidden; }
.js .copy { visibility: visible; }
.wallet .copy { background: #ffffff; color: #1c1b19; }
.wallet .copy:focus-visible { outline-color: #1c1b19; box-shadow: 0 0 0 5px #ffffff; }

.claim { margin-top: 32px; border-top: 1px solid var(--line); }
.claim summary { display: flex; align-items: center; gap: 8px; min-height: 56px; font-weight: 600; cursor: pointer; list-style: none; border-radius: 8px; }
.claim summary::-webkit-details-marker { display: none; }
.claim summary svg { color: var(--faint); transition: transform 0.2s; }
.claim[open] summary svg { transform: rotate(90deg); }
.claim form { padding: 4px 0 8px; }
.claim-link { margin-top: 32px; padding-top: 16px; border-top: 1px solid var(--line); font-weight: 600; }
.claim-link a { display: inline-block; padding: 12px 0; }
@media (scripting: none) { .claim:not([open]) { display: none; } }
.examples { margin: 12px 0 20px; display: grid; gap: 8px; font-size: 14px; }
.examples li { background: var(--field); border: 1px solid var(--line); border-radius: 4px 14px 14px 14px; padding: 8px 14px 10px; }
.examples span { display: block; color: var(--faint); font-size: 13px; }
mark { background: var(--mark); color: inherit; border-radius: 4px; padding: 1px 4px; font-weight: 600; font-variant-numeric: tabular-nums; }
label { display: block; font-weight: 600; }
.fault { color: var(--fault); font-weight: 600; font-size: 15px; margin-top: 4px; }
.field { display: flex; gap: 8px; }
.field input { flex: 1; }
.claim input { width: 100%; min-width: 0; min-height: 52px; margin: 8px 0 16px; padding: 0 16px; border: 1.5px solid var(--edge); border-radius: 14px; background: var(--field); font-size: 18px; font-variant-numeric: tabular-nums; }
.claim input[aria-invalid] { border-color: var(--fault); }
.claim input:focus-visible { outline-offset: 0; }
.button[disabled] { opacity: 0.7; cursor: default; }

.outcome { display: grid; grid-template-columns: minmax(0, 1fr); justify-items: center; text-align: center; gap: 8px; padding-top: 16px; }
.seal { display: grid; place-items: center; width: 88px; height: 88px; margin-bottom: 12px; border-radius: 50%; background: var(--bad); color: var(--bad-ink); font-size: 40px; }
[data-status=success] .seal { background: var(--accent); color: var(--on-accent); }
.seal svg { stroke-width: 2.25; }
.outcome h2 { font-size: 26px; letter-spacing: -0.02em; }
.outcome > p { max-width: 40ch; overflow-wrap: anywhere; }
.outcome dl { width: 100%; margin: 24px 0 0; border-top: 1px solid var(--line); text-align: left; }
.outcome dl div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--faint); flex: none; }
dd { font-weight: 600; text-align: right; overflow-wrap: anywhere; min-width: 0; }
.outcome .button { width: 100%; margin: 16px 0 4px; }

.foot { order: 2; display: none; gap: 10px; padding: 20px 20px 32px; color: var(--faint); font-size: 14px; }
[data-status=pending] .foot { display: flex; }

.notice { justify-content: center; padding: 20px; }
.notice .outcome { padding: 40px 24px; border-radius: 24px; background: var(--card); }
.notice .seal { background: var(--page); color: var(--faint); }
.notice h1 { font-size: 26px; line-height: 1.3; letter-spacing: -0.02em; }

@keyframes turn { to { transform: rotate(360deg); } }
@keyframes arrive { from { opacity: 0; transform: translateY(8px); } }
@keyframes stamp { from { transform: scale(0.6); } 60% { transform: scale(1.06); } }
@keyframes draw { from { stroke-dashoffset: 24; } }
.arrived .outcome > * { animation: arrive 0.4s ease-out backwards; }
.arrived .outcome > .seal { animation: stamp 0.5s ease-out; }
.arrived .seal svg path { stroke-dasharray: 24; animation: draw 0.5s 0.15s ease-out backwards; }

@media (min-width: 900px) {
  main:not(.notice) { max-width: 1000px; padding: 72px 32px; display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); column-gap: 72px; align-items: start; }
  .side { display: block; position: sticky; top: 72px; }
  .summary { padding: 16px 0 28px; }
  .amount { margin-top: 24px; font-size: 56px; }
  .description { font-size: 18px; margin-top: 10px; }
  .bar { position: static; padding: 12px 18px; border: 1px solid var(--line); border-radius: 16px; }
  .foot { padding: 20px 18px; }
  .panel { padding: 36px 40px 32px; min-height: 600px; border-radius: 24px; }
  .panel, .notice .outcome { box-shadow: 0 1px 2px #0000000f, 0 12px 40px #0000000f; }
  .steps li > * + *, .steps p + .hint { margin-left: 36px; }
  .dial { display: inline-flex; min-height: 48px; padding: 4px 16px 4px 14px; border: 1.5px solid var(--edge); background: none; color: inherit; }
  .panel .outcome { min-height: 532px; align-content: center; padding: 0; }
}
@media (prefers-reduced-motion: reduce) {
  * { animation: none !important; transition: none !important; }
}
`;
