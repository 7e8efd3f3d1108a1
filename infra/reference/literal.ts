/** How a programming language writes what JSON can say. */
interface Notation {
  readonly object: readonly [open: string, close: string];
  /** Within an object on one line. */
  readonly space: string;
  /** After the last entry of an object or a list on several lines. */
  readonly afterLast: string;
  readonly key: (name: string) => string;
  readonly string: (text: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
}

const words = { true: 'true', false: 'false', null: 'null' };

export const notations = {
  json: {
    object: ['{', '}'],
    space: ' ',
    afterLast: '',
    key: (name) => `${JSON.stringify(name)}: `,
    string: JSON.stringify,
    words,
  },
  javascript: {
    object: ['{', '}'],
    space: ' ',
    afterLast: ',',
    key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : javascriptString(name)}: `,
    string: javascriptString,
    words,
  },
  python: {
    object: ['{', '}'],
    space: '',
    afterLast: ',',
    key: (name) => `${JSON.stringify(name)}: `,
    string: JSON.stringify,
    words: { true: 'True', false: 'False', null: 'None' },
  },
  php: {
    object: ['[', ']'],
    space: '',
    afterLast: ',',
    key: (name) => `${phpString(name)} => `,
    string: phpString,
    words,
  },
} as const satisfies Record<string, Notation>;

/** What still fits in the narrowest column beside the fields. */
const MAX_LINE_CHARACTERS = 56;

/** A value as a literal: on one line if it fits, else indented by two more spaces than `indent` says. */
export function literal(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.string(value);
  if (value === null || typeof value === 'boolean') return notation.words[`${value}`];
  if (typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => literal(one, notation, deeper))
    : Object.entries(value).map(([name, one]) => notation.key(name) + literal(one, notation, deeper));
  const [open, close] = isList ? ['[', ']'] : notation.object;
  const space = isList || parts.length === 0 ? '' : notation.space;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (indent.length + line.length <= MAX_LINE_CHARACTERS && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}${notation.afterLast}\n${indent}${close}`;
}

function javascriptString(text: string): string {
  return phpString(text).replaceAll('\n', '\\n');
}

/** Single quotes: in double ones PHP reads `$` as a variable. */
function phpString(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
