import { type DynamoDbError, invalid, notCovered } from './errors.ts';
import { RESERVED_WORDS } from './reserved-words.ts';

/**
 * Parses expressions into trees and caches them, because the service repeats the same few. `bindings.ts` resolves the
 * placeholders.
 */

export type ExpressionKind = 'ConditionExpression' | 'FilterExpression' | 'KeyConditionExpression' | 'UpdateExpression';

/** `name` is an attribute name or a placeholder `#name`. */
export interface Path {
  readonly is: 'path';
  readonly name: string;
}
export interface Placeholder {
  readonly is: 'value';
  readonly name: string;
}
export type Operand =
  | Path
  | Placeholder
  | { readonly is: 'if_not_exists'; readonly path: Path; readonly otherwise: Operand }
  | { readonly is: 'sum'; readonly sign: 1 | -1; readonly left: Operand; readonly right: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Condition =
  | { readonly is: 'compare'; readonly comparator: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly is: 'in'; readonly operand: Operand; readonly among: readonly Operand[] }
  | { readonly is: 'exists'; readonly path: Path; readonly wanted: boolean }
  | { readonly is: 'begins_with'; readonly operand: Operand; readonly prefix: Operand }
  | { readonly is: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly is: 'not'; readonly condition: Condition };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: Operand }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: Placeholder }[];
}

export interface Parsed<Tree> {
  readonly tree: Tree;
  /** The placeholders in the expression, such as `#name` and `:value`. */
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const conditions = new Map<string, Parsed<Condition>>();
const updates = new Map<string, Parsed<Update>>();

export function parseCondition(text: string, kind: ExpressionKind): Parsed<Condition> {
  return cached(conditions, `${kind} ${text}`, () => new Parser(text, kind).condition());
}

export function parseUpdate(text: string): Parsed<Update> {
  return cached(updates, text, () => new Parser(text, 'UpdateExpression').update());
}

function cached<Tree>(trees: Map<string, Parsed<Tree>>, key: string, parse: () => Parsed<Tree>): Parsed<Tree> {
  const known = trees.get(key);
  if (known) return known;
  const parsed = parse();
  trees.set(key, parsed);
  return parsed;
}

const MAX_BYTES = 4096;
const MAX_IN_OPERANDS = 100;
const TOKEN = /\s*(?:(#\w+)|(:\w+)|([A-Za-z]\w*)|(<>|<=|>=|\S))/y;
const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const OTHER_FUNCTIONS = new Set(['attribute_type', 'contains', 'size', 'list_append']);

interface Token {
  readonly is: 'name' | 'value' | 'word' | 'sign' | 'end';
  readonly text: string;
}

class Parser {
  readonly #kind: ExpressionKind;
  readonly #tokens: readonly Token[];
  readonly #names = new Set<string>();
  readonly #values = new Set<string>();
  #next = 0;
  /**
   * Content of the brackets that were closed last. DynamoDB rejects redundant brackets directly around this content.
   */
  #bracketed: Condition | Operand | undefined;

  constructor(text: string, kind: ExpressionKind) {
    this.#kind = kind;
    if (text.trim() === '') throw this.#refusal('The expression can not be empty;');
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw this.#refusal('Expression size has exceeded the maximum allowed size;');
    }
    this.#tokens = tokensOf(text);
  }

  condition(): Parsed<Condition> {
    const tree = this.#asCondition(this.#or());
    this.#end();
    return { tree, names: this.#names, values: this.#values };
  }

  update(): Parsed<Update> {
    const tree: { set: Update['set'][number][]; remove: Path[]; add: Update['add'][number][] } = {
      set: [],
      remove: [],
      add: [],
    };
    const clauses: Record<string, () => void> = {
      SET: () => this.#list(() => tree.set.push(this.#assignment())),
      REMOVE: () => this.#list(() => tree.remove.push(this.#path())),
      ADD: () => this.#list(() => tree.add.push({ path: this.#path(), value: this.#placeholder() })),
    };
    const seen = new Set<string>();
    while (this.#peek().is !== 'end') {
      const word = this.#peek().text.toUpperCase();
      const clause = Object.hasOwn(clauses, word) ? clauses[word] : undefined;
      if (word === 'DELETE') throw notCovered('DELETE in an UpdateExpression, which takes elements out of sets');
      if (!clause) throw this.#syntaxError();
      if (seen.has(word)) {
        throw this.#refusal(`The "${word}" section can only be used once in an update expression;`);
      }
      seen.add(word);
      this.#next++;
      clause();
    }
    return { tree, names: this.#names, values: this.#values };
  }

  #assignment(): Update['set'][number] {
    const path = this.#path();
    this.#sign('=');
    return { path, to: this.#sum() };
  }

  #sum(): Operand {
    const left = this.#asOperand(this.#operand());
    const { text } = this.#peek();
    if (text !== '+' && text !== '-') return left;
    this.#next++;
    const right = this.#asOperand(this.#operand());
    return { is: 'sum', sign: text === '+' ? 1 : -1, left, right };
  }

  #or(): Condition | Operand {
    let left = this.#and();
    while (this.#takesWord('OR')) {
      left = { is: 'or', left: this.#asCondition(left), right: this.#asCondition(this.#and()) };
    }
    return left;
  }

  #and(): Condition | Operand {
    let left = this.#not();
    while (this.#takesWord('AND')) {
      left = { is: 'and', left: this.#asCondition(left), right: this.#asCondition(this.#not()) };
    }
    return left;
  }

  #not(): Condition | Operand {
    if (!this.#takesWord('NOT')) return this.#comparison();
    return { is: 'not', condition: this.#asCondition(this.#not()) };
  }

  #comparison(): Condition | Operand {
    const left = this.#operand();
    const comparator = COMPARATORS[this.#peek().text];
    if (comparator) {
      this.#next++;
      return { is: 'compare', comparator, left: this.#asOperand(left), right: this.#asOperand(this.#operand()) };
    }
    if (this.#takesWord('BETWEEN')) {
      const low = this.#asOperand(this.#operand());
      if (!this.#takesWord('AND')) throw this.#syntaxError();
      return { is: 'between', operand: this.#asOperand(left), low, high: this.#asOperand(this.#operand()) };
    }
    if (this.#takesWord('IN')) return { is: 'in', operand: this.#asOperand(left), among: this.#among() };
    return left;
  }

  #among(): Operand[] {
    const among: Operand[] = [];
    this.#sign('(');
    this.#list(() => among.push(this.#asOperand(this.#operand())));
    this.#sign(')');
    if (among.length > MAX_IN_OPERANDS) {
      throw this.#refusal(`The IN operator is provided with too many operands; number of operands: ${among.length}`);
    }
    return among;
  }

  #operand(): Condition | Operand {
    const { is, text } = this.#peek();
    if (text === '(') {
      this.#next++;
      const inside = this.#kind === 'UpdateExpression' ? this.#sum() : this.#or();
      this.#sign(')');
      if (inside === this.#bracketed) throw this.#refusal('The expression has redundant parentheses;');
      this.#bracketed = inside;
      return inside;
    }
    if (is === 'value') return this.#placeholder();
    if (is === 'word' && this.#tokens[this.#next + 1]?.text === '(') return this.#function();
    return this.#path();
  }

  #function(): Condition | Operand {
    const name = this.#peek().text;
    this.#next += 2;
    const args: (Condition | Operand)[] = [];
    if (this.#peek().text !== ')') this.#list(() => args.push(this.#operand()));
    this.#sign(')');
    const isUpdate = this.#kind === 'UpdateExpression';
    switch (name) {
      case 'attribute_exists':
      case 'attribute_not_exists': {
        if (isUpdate) throw this.#refusal(`The function is not allowed in an update expression; function: ${name}`);
        const [path] = this.#operands(name, args, 1);
        return { is: 'exists', path: this.#asPath(name, path), wanted: name === 'attribute_exists' };
      }
      case 'begins_with': {
        if (isUpdate) throw this.#refusal(`The function is not allowed in an update expression; function: ${name}`);
        const [operand, prefix] = this.#operands(name, args, 2);
        if (!operand || !prefix) throw this.#syntaxError();
        return { is: 'begins_with', operand, prefix };
      }
      case 'if_not_exists': {
        if (!isUpdate) throw this.#refusal(`The function is not allowed in a condition expression; function: ${name}`);
        const [path, otherwise] = this.#operands(name, args, 2);
        if (!otherwise) throw this.#syntaxError();
        return { is: 'if_not_exists', path: this.#asPath(name, path), otherwise };
      }
      default:
        if (OTHER_FUNCTIONS.has(name)) throw notCovered(`the function ${name}`);
        throw this.#refusal(`Invalid function name; function: ${name}`);
    }
  }

  #operands(name: string, args: readonly (Condition | Operand)[], count: number): Operand[] {
    if (args.length !== count) {
      throw this.#refusal(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${args.length}`,
      );
    }
    return args.map((argument) => this.#asOperand(argument));
  }

  #asPath(name: string, operand: Operand | undefined): Path {
    if (operand?.is === 'path') return operand;
    throw this.#refusal(`Operator or function requires a document path; operator or function: ${name}`);
  }

  #asOperand(node: Condition | Operand): Operand {
    switch (node.is) {
      case 'path':
      case 'value':
      case 'if_not_exists':
      case 'sum':
        return node;
      default:
        throw this.#syntaxError();
    }
  }

  #asCondition(node: Condition | Operand): Condition {
    switch (node.is) {
      case 'path':
      case 'value':
      case 'if_not_exists':
      case 'sum':
        throw this.#syntaxError();
      default:
        return node;
    }
  }

  #path(): Path {
    const { is, text } = this.#peek();
    if (is !== 'name' && is !== 'word') throw this.#syntaxError();
    if (is === 'name') this.#names.add(text);
    if (is === 'word' && RESERVED_WORDS.has(text.toLowerCase())) {
      throw this.#refusal(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
    }
    this.#next++;
    if (this.#peek().text === '.' || this.#peek().text === '[') {
      throw notCovered(`document paths, such as the one into ${text}: use whole attributes`);
    }
    return { is: 'path', name: text };
  }

  #placeholder(): Placeholder {
    const { is, text } = this.#peek();
    if (is !== 'value') throw this.#syntaxError();
    this.#values.add(text);
    this.#next++;
    return { is: 'value', name: text };
  }

  #list(element: () => void): void {
    do element();
    while (this.#takes(','));
  }

  #takes(text: string): boolean {
    const found = this.#peek().text === text;
    if (found) this.#next++;
    return found;
  }

  #takesWord(word: string): boolean {
    const { is, text } = this.#peek();
    const found = is === 'word' && text.toUpperCase() === word;
    if (found) this.#next++;
    return found;
  }

  #sign(text: string): void {
    if (!this.#takes(text)) throw this.#syntaxError();
  }

  #end(): void {
    if (this.#peek().is !== 'end') throw this.#syntaxError();
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? END;
  }

  #syntaxError(): DynamoDbError {
    const near = this.#tokens.slice(Math.max(0, this.#next - 1), this.#next + 2).map(({ text }) => text);
    return this.#refusal(`Syntax error; token: "${this.#peek().text}", near: "${near.join(' ')}"`);
  }

  #refusal(message: string): DynamoDbError {
    return invalid(`Invalid ${this.#kind}: ${message}`);
  }
}

const END: Token = { is: 'end', text: '<EOF>' };

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [, name, value, word, sign] = found;
    if (name) tokens.push({ is: 'name', text: name });
    else if (value) tokens.push({ is: 'value', text: value });
    else if (word) tokens.push({ is: 'word', text: word });
    else if (sign) tokens.push({ is: 'sign', text: sign });
  }
  return tokens;
}
