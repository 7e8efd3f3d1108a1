import { styleText } from 'node:util';

const WIDTH = 96;

export class Narrator {
  readonly #print: (line: string) => void;
  #chapters = 0;
  #checks = 0;
  #failures = 0;
  #isChecking = false;

  constructor(print: (line: string) => void = console.log) {
    this.#print = print;
  }

  get checks(): number {
    return this.#checks;
  }

  get failures(): number {
    return this.#failures;
  }

  title(text: string): void {
    this.#paragraph(styleText('bold', text));
  }

  chapter(text: string): void {
    this.#chapters += 1;
    this.#paragraph(styleText(['bold', 'cyan'], `${this.#chapters}. ${text}`));
  }

  say(text: string): void {
    this.#paragraph(...wrap(text, WIDTH - 2).map((line) => `  ${line}`));
  }

  call(text: string, body?: object | string): void {
    this.#paragraph(`    ${styleText('bold', text)}`, ...jsonLines(body));
  }

  answer(text: string, body?: object): void {
    this.#lines(...wrap(`→ ${text}`, WIDTH - 4).map((line) => `    ${line}`), ...jsonLines(body));
  }

  quote(heading: string, text: string): void {
    const bar = styleText('yellow', '│');
    const lines = text.split('\n').flatMap((part) => wrap(part, WIDTH - 6));
    this.#paragraph(`    ${styleText('yellow', heading)}`, ...lines.map((line) => `    ${bar} ${line}`));
  }

  check(claim: string, isTrue: boolean, instead: string): void {
    this.#checks += 1;
    if (!isTrue) this.#failures += 1;
    // Omits the blank line between consecutive checks.
    if (!this.#isChecking) this.#paragraph();
    this.#lines(
      isTrue ? `  ${styleText('green', '✓')} ${claim}` : `  ${styleText('red', `✗ ${claim}`)}, but it is ${instead}`,
    );
    this.#isChecking = true;
  }

  checkIs(claim: string, found: string | number | undefined, expected: string | number): void {
    this.check(`${claim} ${expected}`, found === expected, String(found));
  }

  #paragraph(...lines: string[]): void {
    this.#lines('', ...lines);
  }

  #lines(...lines: string[]): void {
    this.#isChecking = false;
    for (const line of lines) this.#print(line);
  }
}

function jsonLines(value: object | string | undefined): string[] {
  if (value === undefined) return [];
  return layOut(value, WIDTH - 6).map((line) => `      ${styleText('dim', line)}`);
}

function layOut(value: unknown, width: number): string[] {
  const whole = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (whole.length <= width || typeof value !== 'object' || value === null) return [whole];
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, part]) => {
    const [first = '', ...rest] = layOut(part, width - 4);
    return [isList ? first : `${JSON.stringify(name)}: ${first}`, ...rest];
  });
  const lines = parts.flatMap((part, n) => (n < parts.length - 1 ? [...part.slice(0, -1), `${part.at(-1)},`] : part));
  return [isList ? '[' : '{', ...lines.map((line) => `  ${line}`), isList ? ']' : '}'];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
