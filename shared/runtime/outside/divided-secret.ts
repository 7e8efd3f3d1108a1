/**
 * Secrets Manager's limit for one secret.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const MAX_SECRET_BYTES = 65_536;
/**
 * Maximum number of secrets, enough for about ten thousand phones. Must be a single digit, because roles can read only
 * `…/2` to `…/9`.
 */
const MAX_SECRETS = 9;
/** Field that marks a secret as continued in the next one. No account can have this name. */
const MORE = '+';

type Tree = Record<string, unknown>;

/**
 * Returns the id of a secret, given its `number` (counted from 1) and the first secret's name or ARN. Drops the six
 * random characters of an ARN.
 */
export function idOfSecret(first: string, number: number): string {
  if (number === 1) return first;
  const name = first.startsWith('arn:') ? (first.split(':').at(-1) ?? '').replace(/-\w{6}$/, '') : first;
  return `${name}/${number}`;
}

export async function readDivided(read: (number: number) => Promise<string>): Promise<string> {
  const first = await read(1);
  const tree: Tree = {};
  for (let [text, number] = [first, 1]; ; text = await read(++number)) {
    const { [MORE]: more, ...part } = treeOf(text);
    for (const [path, value] of leavesOf(part)) put(tree, path, value);
    if (more !== true) return number === 1 ? first : JSON.stringify(tree);
  }
}

/**
 * Stores JSON in as many secrets as needed. Writes the last secret first, so that readers never miss data that moves to
 * the next secret.
 */
export async function writeDivided(
  text: string,
  write: (number: number, text: string) => Promise<void>,
  maxBytes = MAX_SECRET_BYTES,
): Promise<void> {
  const parts = divide(text, maxBytes);
  if (parts.length > MAX_SECRETS) throw new Error(`The JSON does not fit into ${MAX_SECRETS} secrets`);
  for (const [n, part] of [...parts.entries()].toReversed()) await write(n + 1, part);
}

function divide(text: string, maxBytes: number): string[] {
  if (Buffer.byteLength(text) <= maxBytes) return [text];
  const trees: Tree[] = [{}];
  let bytes = EMPTY_BYTES;
  for (const [path, value] of leavesOf(treeOf(text))) {
    const added = growth(trees.at(-1), path, value);
    const isFull = bytes + added > maxBytes;
    bytes = isFull ? EMPTY_BYTES + growth({}, path, value) : bytes + added;
    if (isFull) trees.push({});
    put(trees.at(-1) ?? {}, path, value);
  }
  return trees.map((tree, n) => JSON.stringify(n < trees.length - 1 ? { ...tree, [MORE]: true } : tree));
}

const EMPTY_BYTES = Buffer.byteLength(JSON.stringify({ [MORE]: true }));

function growth(tree: unknown, [name = '', ...rest]: readonly string[], value: unknown): number {
  const inner = isTree(tree) ? tree[name] : undefined;
  const ofName = inner === undefined ? Buffer.byteLength(JSON.stringify(name)) + ':,'.length : 0;
  if (rest.length === 0) return ofName + Buffer.byteLength(JSON.stringify(value));
  return ofName + (inner === undefined ? '{}'.length : 0) + growth(inner, rest, value);
}

function leavesOf(tree: Tree, path: readonly string[] = []): [path: readonly string[], value: unknown][] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const here = [...path, name];
    return isTree(value) && Object.keys(value).length > 0 ? leavesOf(value, here) : [[here, value]];
  });
}

function put(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = tree[name];
  const at = isTree(inner) ? inner : {};
  tree[name] = at;
  put(at, rest, value);
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an empty tree unless the string is a JSON object. Discards the parser's error, which quotes the secret. */
function treeOf(text: string): Tree {
  try {
    const tree: unknown = JSON.parse(text);
    return isTree(tree) ? tree : {};
  } catch {
    return {};
  }
}
