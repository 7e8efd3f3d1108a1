/** The parts of Babel's path that we use. */
interface BabelPath {
  readonly node: Node;
  readonly parent?: Node | undefined;
  readonly listKey?: string | undefined;
  readonly key?: string | number | null;
}

interface Node {
  readonly type: string;
  readonly name?: unknown;
  readonly callee?: Node;
  readonly property?: Node;
}

/** Skips the text of the API reference, because `npm run check` detects each change to it. */
export const documentation = {
  shouldIgnore({ node, parent, listKey, key }: BabelPath): string | undefined {
    const isArgument = listKey === 'arguments' && typeof key === 'number';
    const isSaid =
      (isArgument && key > 0 && calledIn(parent) === 'described') ||
      (isArgument && key === 0 && calledIn(parent) === 'requestBody') ||
      ['meta', 'describe'].includes(calledIn(node) ?? '');
    return isSaid ? 'It is in the API reference' : undefined;
  },
};

function calledIn(node: Node | undefined): string | undefined {
  if (node?.type !== 'CallExpression') return undefined;
  const name = node.callee?.property?.name ?? node.callee?.name;
  return typeof name === 'string' ? name : undefined;
}

/** Stryker finds the plugin by this export. */
export const strykerPlugins = [{ kind: 'Ignore', name: 'documentation', value: documentation }];
