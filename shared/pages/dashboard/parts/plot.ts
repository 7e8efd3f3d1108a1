import { html } from 'hono/html';
import { icon } from '../../frame/icon.ts';
import type { Html } from './content.ts';
import { type Columns, table } from './list.ts';
import {
  BASE,
  type Bars,
  type Box,
  drawBars,
  drawLine,
  LINE_HEIGHT,
  type Place,
  type PlotPoint,
} from './plot-figures.ts';

interface PlotOf {
  readonly title: string;
  /** Unit of the values, such as `GHS`. `unitValue` is the value of 1 on the axis. */
  readonly unit: string;
  readonly unitValue?: number;
  readonly per?: string;
  readonly part?: keyof typeof RESTS;
}

/** Names what a plot draws as hollow, and the rest. */
const RESTS = {
  'Not verified': 'Verified',
  'Not delivered': 'Delivered',
} as const;

/** Renders a bar plot with a table of its values, for screen readers and exact figures. */
export function plot({ title, unit, unitValue, per = 'Day', part }: PlotOf, points: readonly PlotPoint[]): Html {
  const drawn = drawBars(points, unitValue);
  const hasParts = part !== undefined && points.some(({ part: share = 0 }) => share > 0);
  const bars = drawn.bars.map(({ x, solid, hollow }, n) => {
    const { label = '', shown = '' } = points[n] ?? {};
    const rect = (box: Box | undefined, kind: string) =>
      box &&
      html`<rect class="${kind}" x="${x}%" y="${box.y}" width="${drawn.barWidth}%" height="${box.height}" rx="3"/>`;
    return html`<g><title>${label}: ${shown}</title>${rect(solid, 'solid')}${rect(hollow, 'hollow')}</g>`;
  });
  // Drawn last, so that no bar covers a value.
  const marks = drawn.marks.map(
    ({ at, y, anchor, text }) => html`<text class="mark" x="${at}%" y="${y}" text-anchor="${anchor}">${text}</text>`,
  );
  // Green means verified money.
  const isMoney = part !== undefined && RESTS[part] === 'Verified';
  return html`<figure class="plot${!isMoney && ' neutral'}">
<figcaption>${title}</figcaption>
${hasParts && html`<p class="hint actions">${key(box('solid'), RESTS[part])}${key(box('hollow'), part)}</p>`}
${frame(title, drawn, html`${bars}${marks}`)}
<details><summary>As a table</summary>${table(points, {
    caption: title,
    columns: {
      [per]: ({ label }) => label,
      [unit]: { figure: ({ shown }) => shown },
      ...(hasParts && { [part]: { figure: ({ shownPart = '' }: PlotPoint) => shownPart } }),
    },
  })}</details>
</figure>`;
}

/** Explains a kind of bar or mark. */
function key(drawing: string, label: string): Html {
  return html`<span>${icon(drawing)} ${label}</span>`;
}

function box(kind: 'solid' | 'hollow'): string {
  return `<rect class="${kind}" x="3" y="3" width="18" height="18" rx="3"/>`;
}

/** Renders collapsed plots. The summary shows the main figures. */
export function foldedPlots(figures: string, plots: Html): Html {
  return html`<details><summary>${figures}</summary>${plots}</details>`;
}

interface LinePlot<Row> {
  readonly title: string;
  readonly gap: string;
  readonly unitValue: number;
  readonly stretches: readonly (readonly Place[])[];
  readonly rows: readonly Row[];
  readonly columns: Columns<Row>;
}

export function linePlot<Row>({ title, gap, unitValue, stretches, rows, columns }: LinePlot<Row>): Html {
  const drawn = drawLine(stretches, unitValue);
  const paths = html`<svg viewBox="0 0 1000 ${BASE}" width="100%" height="${BASE}" preserveAspectRatio="none"><path d="${drawn.stretches}"/><path class="gap" d="${drawn.gaps}"/></svg>`;
  const ends = drawn.gapEnds.map(({ x, y }) => html`<circle cx="${x}%" cy="${y}" r="5"/>`);
  return html`<figure class="plot">
<figcaption>${title}</figcaption>
${ends.length > 0 && html`<p class="hint actions">${key('<circle cx="12" cy="12" r="9"/>', gap)}</p>`}
${frame(title, drawn, html`${paths}${ends}`)}
<details><summary>As a table</summary>${table(rows, { caption: title, columns })}</details>
</figure>`;
}

/** Places a label below its bar. The last one must not leave the card, which has some space beside the plot. */
function placeOf({ at, text }: Bars['ticks'][number][number]): Html {
  return at > 95 && text.length > 3 ? html`x="100%" dx="12" text-anchor="end"` : html`x="${at}%"`;
}

function frame(title: string, { grid, ticks }: Pick<Bars, 'grid' | 'ticks'>, inner: Html): Html {
  return html`<svg role="img" aria-label="${title}: the table below has the figures">
<g text-anchor="end">${grid.map(({ at, text }) => html`<line x2="100%" y1="${at}" y2="${at}"/><text x="-8" y="${at + 4}">${text}</text>`)}</g>
${inner}
<g text-anchor="middle">${ticks.map((labels, line) => labels.map((label) => html`<text ${placeOf(label)} y="${BASE + (line + 1) * LINE_HEIGHT}">${label.text}</text>`))}</g>
</svg>`;
}
