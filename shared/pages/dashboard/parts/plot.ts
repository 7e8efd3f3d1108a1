import { html, raw } from 'hono/html';
import type { Html } from './content.ts';
import { table } from './list.ts';

export interface PlotPoint {
  /** A day, or the unit named by the plot's last argument. */
  readonly label: string;
  readonly value: number;
  readonly shown: string;
}

const HEIGHT = 120;
const STEP = 20;
const BAR = 14;

/**
 * Bars over time, below a note on all of them. The same values follow as a table, for exact figures and for people who
 * cannot see the bars.
 */
export function plot(
  title: string,
  unit: string,
  points: readonly PlotPoint[],
  { per = 'Day', note }: { readonly per?: string; readonly note?: Html | undefined } = {},
): Html {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const bars = points.map(({ value, label, shown }, n) => {
    // Any value above 0 stays visible.
    const height = value > 0 ? Math.max(2, Math.round((value / most) * HEIGHT)) : 0;
    return html`<rect x="${n * STEP + (STEP - BAR) / 2}" y="${HEIGHT - height}" width="${BAR}" height="${height}" rx="3"><title>${label}: ${shown}</title></rect>`;
  });
  const width = Math.max(1, points.length) * STEP;
  const highest = points.find(({ value }) => value === most);
  return html`<figure class="plot">
<figcaption>${title}</figcaption>
${note}
${highest && html`<p class="hint">Highest: <span class="figure">${highest.shown}</span>, ${highest.label}</p>`}
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}: the table below has the figures"><path d="M0 ${HEIGHT - 0.5}H${width}"${raw(' class="ground"')}/>${bars}</svg>
<p class="ends"><span>${points[0]?.label}</span><span>${points.at(-1)?.label}</span></p>
<details><summary>As a table</summary>${table(points, {
    caption: title,
    columns: { [per]: ({ label }) => label, [unit]: { figure: ({ shown }) => shown } },
  })}</details>
</figure>`;
}
