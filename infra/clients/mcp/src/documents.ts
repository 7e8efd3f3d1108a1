export class Documents {
  readonly #baseUrl: string;
  #markdown: Promise<string> | undefined;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
  }

  async contents(): Promise<string> {
    return headingsOf(await this.#read()).join('\n');
  }

  /**
   * Returns the sections whose heading contains `wanted`, truncated for an agent. Returns undefined if no heading
   * matches.
   */
  async section(wanted: string): Promise<string | undefined> {
    const sections = (await this.#read()).split(/^(?=#{2,3} )/m).map((text) => ({ text, heading: headingOf(text) }));
    const words = plain(wanted);
    const same = sections.filter(({ heading }) => plain(heading) === words);
    const found = same.length > 0 ? same : sections.filter(({ heading }) => plain(heading).includes(words));
    const text = found.map((section) => section.text).join('');
    return (
      text && (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… (cut: ask for one section)` : text)
    );
  }

  #read(): Promise<string> {
    this.#markdown ??= fetched(`${this.#baseUrl}/docs.md`).catch((error) => {
      // Clears a failed read so that the next call retries it.
      this.#markdown = undefined;
      throw error;
    });
    return this.#markdown;
  }
}

const MAX_CHARACTERS = 12_000;

async function fetched(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}. Try again, or check MOMO_URL.`);
  return response.text();
}

function headingsOf(markdown: string): string[] {
  // Ignore comments in code samples, because they look like headings.
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, '').match(/^#{2,3} .+$/gm) ?? [];
}

function headingOf(section: string): string {
  return section.slice(0, section.indexOf('\n')).replace(/^#+ /, '');
}

function plain(text: string): string {
  return text.replaceAll(/[`#]/g, '').trim().toLowerCase();
}
