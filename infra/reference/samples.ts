import { html, raw } from 'hono/html';
import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { REST } from './examples.ts';
import type { Html } from './fields.ts';

export type Language = 'curl' | 'node' | 'php' | 'python';

export const languages: readonly (readonly [Language, string])[] = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['php', 'PHP'],
  ['python', 'Python'],
];

export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  /** The kind of key, as it appears in the name of the environment variable. */
  readonly key: string | undefined;
  readonly isRepeatable: boolean;
  readonly body: object | undefined;
}

type ServerRequest = SampleRequest & { readonly key: string; readonly body: object };

export interface Sample {
  readonly caption: string;
  readonly language: Language;
  readonly text: string;
}

const inLanguage = { curl, node, php, python };

/**
 * Returns the request in each language, without dependencies. A request without a body or key is shown only for curl.
 */
export function samplesOf({ key, body, ...request }: SampleRequest): Sample[] {
  if (key === undefined || body === undefined)
    return [{ caption: 'curl', language: 'curl', text: curl({ key, body, ...request }) }];
  return languages.map(([language, caption]) => ({
    caption,
    language,
    text: inLanguage[language]({ key, body, ...request }),
  }));
}

function curl({ method, path, key, isRepeatable, body }: SampleRequest): string {
  const url = EXAMPLE_BASE_URL + path;
  const isStandard = method === (body ? 'POST' : 'GET');
  const options = [
    `curl ${isStandard ? '' : `-X ${method} `}${/[?&]/.test(url) ? `'${url}'` : url}`,
    key && `-H "Authorization: Bearer $${keyVariable(key)}"`,
    isRepeatable && '-H "Idempotency-Key: $(openssl rand -hex 16)"',
    body && "-H 'Content-Type: application/json'",
    body && `-d '${literal(body, notations.json).replaceAll("'", "'\\''")}'`,
  ];
  return options.filter(Boolean).join(' \\\n  ');
}

function node({ method, path, key, isRepeatable, body }: ServerRequest): string {
  const headers = [
    `Authorization: \`Bearer \${process.env.${keyVariable(key)}}\`,`,
    isRepeatable && "'Idempotency-Key': crypto.randomUUID(),",
    "'Content-Type': 'application/json',",
  ].filter(Boolean);
  return `const response = await fetch('${EXAMPLE_BASE_URL}${path}', {
  method: '${method}',
  headers: {
    ${headers.join('\n    ')}
  },
  body: JSON.stringify(${literal(body, notations.javascript, { indent: '  ' })}),
});
console.log(await response.json());`;
}

/** Returns a PHP sample. Uses streams, because not every server has the curl extension. */
function php({ method, path, key, isRepeatable, body }: ServerRequest): string {
  const headers = [
    `'Authorization: Bearer ' . getenv('${keyVariable(key)}'),`,
    isRepeatable && "'Idempotency-Key: ' . bin2hex(random_bytes(16)),",
    "'Content-Type: application/json',",
  ].filter(Boolean);
  return `<?php
$context = stream_context_create(['http' => [
  'method' => '${method}',
  'header' => [
    ${headers.join('\n    ')}
  ],
  'content' => json_encode(${literal(body, notations.php, { indent: '  ' })}),
  'ignore_errors' => true,
]]);
$response = file_get_contents('${EXAMPLE_BASE_URL}${path}', false, $context);
print_r(json_decode($response, true));`;
}

/** Returns a Python sample. Uses the standard library, because `requests` may not be installed. */
function python({ method, path, key, isRepeatable, body }: ServerRequest): string {
  const headers = [
    `"Authorization": "Bearer " + os.environ["${keyVariable(key)}"],`,
    isRepeatable && '"Idempotency-Key": str(uuid.uuid4()),',
    '"Content-Type": "application/json",',
  ].filter(Boolean);
  return `import json, os, urllib.error, urllib.request${isRepeatable ? ', uuid' : ''}

request = urllib.request.Request(
  "${EXAMPLE_BASE_URL}${path}",
  method="${method}",
  headers={
    ${headers.join('\n    ')}
  },
  data=json.dumps(${literal(body, notations.python, { indent: '  ' })}).encode(),
)
try:
  answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
  answer = error
print(json.load(answer))`;
}

function keyVariable(key: string): string {
  return `MOMO_${key.toUpperCase()}_KEY`;
}

/** Renders a text to read or copy. Does not escape quotes, which would make the page 5 % larger. */
export function codeBlock(caption: Html | string, text: string, language?: Language): Html {
  const code = raw(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  return html`<figure${language && html` class="sample ${language}"`}><figcaption>${caption}</figcaption><pre><code>${code}</code></pre></figure>`;
}

export function jsonBlock(caption: string, value: unknown): Html {
  return codeBlock(caption, jsonText(value));
}

export function jsonText(value: unknown, maxCharacters = MAX_LINE_CHARACTERS): string {
  return literal(value, notations.json, { maxCharacters });
}

/** Renders the samples. The stylesheet shows the selected language, or all of them in old browsers. */
export function sampleBlocks(samples: readonly Sample[]): Html[] {
  return samples.map(({ caption, language, text }) =>
    codeBlock(caption, text, samples.length > 1 ? language : undefined),
  );
}

/** Renders the column of samples next to a text. The column scrolls, so it must be focusable by keyboard. */
export function codeColumn(blocks: readonly (Html | undefined)[]): Html {
  return html`<div class="code" tabindex="0" role="group" aria-label="Samples">${blocks}</div>`;
}

interface Notation {
  readonly object: readonly [open: string, close: string];
  /** Space inside brackets on a single line. */
  readonly space: string;
  /** Text after the last entry of a multi-line object or list. */
  readonly afterLast: string;
  readonly key: (name: string) => string;
  readonly string: (text: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
}

const likeJson: Notation = {
  object: ['{', '}'],
  space: ' ',
  afterLast: ',',
  key: (name) => `${JSON.stringify(name)}: `,
  string: JSON.stringify,
  words: { true: 'true', false: 'false', null: 'null' },
};

const notations = {
  json: { ...likeJson, afterLast: '' },
  javascript: {
    ...likeJson,
    key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : javascriptString(name)}: `,
    string: javascriptString,
  },
  python: { ...likeJson, space: '', words: { true: 'True', false: 'False', null: 'None' } },
  php: { ...likeJson, object: ['[', ']'], space: '', key: (name) => `${phpString(name)} => `, string: phpString },
} as const satisfies Record<string, Notation>;

/** Width of the narrowest column in characters. */
const MAX_LINE_CHARACTERS = 56;

/** Formats a value as a literal, on one line if it fits. Otherwise, indents it two spaces more than `indent`. */
function literal(
  value: unknown,
  notation: Notation,
  { indent = '', maxCharacters = MAX_LINE_CHARACTERS }: { indent?: string; maxCharacters?: number } = {},
): string {
  if (typeof value === 'string') return notation.string(value);
  if (value === null || typeof value === 'boolean') return notation.words[`${value}`];
  if (typeof value !== 'object') return String(value);
  const deeper = `${indent}  `;
  const within = { indent: deeper, maxCharacters };
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => literal(one, notation, within))
    : Object.entries(value).map(([name, one]) =>
        name === REST ? REST : notation.key(name) + literal(one, notation, within),
      );
  const [open, close] = isList ? ['[', ']'] : notation.object;
  const space = isList || parts.length === 0 ? '' : notation.space;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (indent.length + line.length <= maxCharacters && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}${notation.afterLast}\n${indent}${close}`;
}

function javascriptString(text: string): string {
  return phpString(text).replaceAll('\n', '\\n');
}

/** Returns a PHP string in single quotes. PHP expands `$` in double quotes. */
function phpString(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
