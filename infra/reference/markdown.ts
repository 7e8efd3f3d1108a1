import { raw } from 'hono/html';
import { Marked } from 'marked';

/** Trusts the HTML, because the Markdown is our own. */
const marked = new Marked({
  renderer: {
    // A wide table scrolls on its own, including by keyboard.
    table({ header, rows }) {
      const row = (cells: typeof header, tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
    },
  },
});

export function markdown(text: string) {
  return raw(marked.parse(text, { async: false }));
}

export function inlineMarkdown(text: string) {
  return raw(marked.parseInline(text, { async: false }));
}
