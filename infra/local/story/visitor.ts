/**
 * Visits the service's pages like a browser without JavaScript. Keeps cookies, follows redirects and presses buttons.
 */
export class Visitor {
  #url = '';
  #html = '';
  readonly #cookies = new Map<string, string>();

  get url(): string {
    return this.#url;
  }

  async open(url: string): Promise<void> {
    await this.#go(url, { method: 'GET' });
  }

  async reload(): Promise<void> {
    await this.open(this.#url);
  }

  /** The visible lines of the page, without folded content. */
  get lines(): string[] {
    return shownLines(this.#html);
  }

  /** The visible lines of the page's main part, without its navigation. */
  get mainLines(): string[] {
    return shownLines(this.#html.slice(this.#html.indexOf('<main')));
  }

  /** Returns true if the page's HTML contains this string, such as a class or an attribute. */
  has(mark: string): boolean {
    return this.#html.includes(mark);
  }

  hasButton(button: string): boolean {
    return buttonsOf(this.#html).includes(button);
  }

  /** Submits the form that contains a button with these words. @throws if there is no such button. */
  async press(button: string, typed: Readonly<Record<string, string>> = {}): Promise<void> {
    const forms = [...this.#html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)];
    const [, facts = '', content = ''] = forms.find(([, , inner = '']) => buttonsOf(inner).includes(button)) ?? [];
    if (!content) throw new Error(`${this.#url} has no button ${button}.`);
    const fields = new URLSearchParams();
    for (const [input] of content.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g))
      fields.set(attribute(input, 'name'), attribute(input, 'value'));
    for (const [name, value] of Object.entries(typed)) fields.set(name, value);
    const action = new URL(attribute(facts, 'action') || this.#url, this.#url);
    if (attribute(facts, 'method') !== 'post') return this.open(`${action.href.split('?')[0]}?${fields}`);
    await this.#go(action.href, { method: 'POST', body: fields, headers: { origin: action.origin } });
  }

  async #go(url: string, init: RequestInit): Promise<void> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...init.headers, accept: 'text/html', cookie };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location) return this.open(new URL(location, url).href);
    this.#url = url;
    this.#html = await answer.text();
  }
}

function buttonsOf(html: string): string {
  return [...html.matchAll(/<button\b[^>]*>(.*?)<\/button>/gs)]
    .map(([, inner = '']) => shownLines(inner).join(' '))
    .join('\n');
}

function attribute(tag: string, name: string): string {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

export function shownLines(html: string): string[] {
  const body = html.slice(Math.max(html.indexOf('<body'), 0));
  const text = body
    .replace(/<(\w+)\b[^>]* aria-hidden="true".*?<\/\1>/gs, '')
    .replace(/<(style|script|noscript|svg|button|details)\b.*?<\/\1>/gs, '')
    .replace(/<\/?(p|h\d|li|ol|ul|div|section|header|main|dl|dt|dd)\b[^>]*>/g, '\n')
    .replace(/<[^<>]+>/g, ' ');
  return plain(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

export function plain(html: string): string {
  return html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
