import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { literal, notations } from './literal.ts';

export type Language = 'curl' | 'node' | 'php' | 'python';

/** The languages of the samples with their names, in the order in which they are offered. */
export const languages: readonly (readonly [Language, string])[] = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['php', 'PHP'],
  ['python', 'Python'],
];

/** A request that a sample makes. */
export interface SampleRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The kind of key that it requires. */
  readonly key: string | undefined;
  readonly isRepeatable: boolean;
  readonly body: object | undefined;
  /** Whether the answer is our envelope; others are printed as they come. */
  readonly hasEnvelope: boolean;
}

/** The same request in each language, with nothing to install. */
export function samplesOf(request: SampleRequest): Readonly<Record<Language, string>> {
  return { curl: curl(request), node: node(request), php: php(request), python: python(request) };
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

function node({ method, path, key, isRepeatable, body, hasEnvelope }: SampleRequest): string {
  const headers = [
    key && `Authorization: \`Bearer \${process.env.${keyVariable(key)}}\`,`,
    isRepeatable && "'Idempotency-Key': crypto.randomUUID(),",
    body && "'Content-Type': 'application/json',",
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: {\n    ${headers.join('\n    ')}\n  },`,
    body && `body: JSON.stringify(${literal(body, notations.javascript, '  ')}),`,
  ].filter(Boolean);
  const given = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  return `const response = await fetch('${EXAMPLE_BASE_URL}${path}'${given});
${hasEnvelope ? NODE_ENVELOPE : 'console.log(await response.text());'}`;
}

const NODE_ENVELOPE = `const answer = await response.json();
if (!answer.status) throw new Error(answer.message);
console.log(answer.data);`;

/** PHP's own streams: its curl is an extension that not every server has. */
function php({ method, path, key, isRepeatable, body, hasEnvelope }: SampleRequest): string {
  const headers = [
    key && `'Authorization: Bearer ' . getenv('${keyVariable(key)}'),`,
    isRepeatable && "'Idempotency-Key: ' . bin2hex(random_bytes(16)),",
    body && "'Content-Type: application/json',",
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `'method' => '${method}',`,
    headers.length > 0 && `'header' => [\n    ${headers.join('\n    ')}\n  ],`,
    body && `'content' => json_encode(${literal(body, notations.php, '  ')}),`,
    hasEnvelope && "'ignore_errors' => true,",
  ].filter(Boolean);
  const context =
    options.length > 0 ? `$context = stream_context_create(['http' => [\n  ${options.join('\n  ')}\n]]);\n` : '';
  return `<?php
${context}$response = file_get_contents('${EXAMPLE_BASE_URL}${path}'${context && ', false, $context'});
${hasEnvelope ? PHP_ENVELOPE : 'echo $response;'}`;
}

const PHP_ENVELOPE = `$answer = json_decode($response, true);
if (!$answer['status']) throw new Exception($answer['message']);
print_r($answer['data']);`;

/** The standard library: `requests` would have to be installed. */
function python({ method, path, key, isRepeatable, body, hasEnvelope }: SampleRequest): string {
  const url = `"${EXAMPLE_BASE_URL}${path}"`;
  const headers = [
    key && `"Authorization": "Bearer " + os.environ["${keyVariable(key)}"],`,
    isRepeatable && '"Idempotency-Key": str(uuid.uuid4()),',
    body && '"Content-Type": "application/json",',
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `method="${method}",`,
    headers.length > 0 && `headers={\n    ${headers.join('\n    ')}\n  },`,
    body && `data=json.dumps(${literal(body, notations.python, '  ')}).encode(),`,
  ].filter(Boolean);
  const imports = [
    (hasEnvelope || body) && 'json',
    key && 'os',
    hasEnvelope && 'urllib.error',
    'urllib.request',
    isRepeatable && 'uuid',
  ].filter(Boolean);
  return `import ${imports.join(', ')}

request = urllib.request.Request(
  ${[`${url},`, ...options].join('\n  ')}
)
${hasEnvelope ? PYTHON_ENVELOPE : 'print(urllib.request.urlopen(request).read().decode())'}`;
}

const PYTHON_ENVELOPE = `try:
  response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
  response = error
answer = json.load(response)
if not answer["status"]:
  raise Exception(answer["message"])
print(answer["data"])`;

/** Where a sample takes its key from. */
function keyVariable(key: string): string {
  return `MOMO_${key.toUpperCase()}_KEY`;
}
