import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { firstCommands } from '../../../infra/local/welcome.ts';
import { RETENTION } from '../../../shared/runtime/outside/retention.ts';
import { keyKindsOf, type Row } from '../../../shared/runtime/triggers/row.ts';
import { WebhookEventType } from '../../../shared/webhook/event.ts';
import { synthesise } from '../../infra/cdk/synthesise.ts';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
/** Folders that must have a README. */
const described = [...globSync('shared/*'), 'functions', 'infra/cdk', 'infra/local'];
const readmes = globSync([...described, 'shared/money/*'].map((folder) => `${folder}/README.md`));
const documents = globSync(['*.md', 'docs/**/*.md', 'infra/clients/*/README.md', ...readmes]).map(
  (file) => [file, readFileSync(file, 'utf8')] as const,
);

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  test('has at most 700 words', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(700);
  });

  test('has at most 150 KB of images', () => {
    const pictures = [...readme.matchAll(/ src(?:set)?="([^"]+)"/g)].map(([, file = '']) => file);
    expect(pictures.toSorted()).toEqual(globSync('.github/pictures/*').sort());
    const bytes = pictures.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });

  test('has the commands that npm start prints', () => {
    const commands = readme.replaceAll(' \\\n ', '').replace(/"(Authorization: Bearer \$\w+)"/g, "'$1'");
    const { charge, text } = firstCommands('http://localhost:3000', { secret_key: '$KEY', sms_secret_key: '$SMS_KEY' });
    for (const command of [charge, text]) expect(commands).toContain(command);
  });
});

test('CONTRIBUTING.md has at most 1,800 words', () => {
  expect(contributing.trim().split(/\s+/).length).toBeLessThanOrEqual(1800);
});

test('the architecture document lists every route and its keys', () => {
  const architecture = readFileSync('docs/internals/architecture.md', 'utf8');
  const listed = [...architecture.matchAll(/^\| (GET|POST|PUT|DELETE) \| (\S+) \| ([a-z, ]*?) ?\|/gm)].map(
    ([, method, path, key]) => `${method} ${path} ${key}`,
  );
  const routes = Object.values<Row>(manifest).flatMap((row) =>
    row.on === 'http' ? [`${row.method} ${row.path} ${keyKindsOf(row).join(', ')}`] : [],
  );
  expect(listed.sort()).toEqual(routes.sort());
});

test('the webhook README lists every event type', () => {
  const [, listed = ''] = /Their types are (.*?) Only/s.exec(readFileSync('shared/webhook/README.md', 'utf8')) ?? [];
  const types = [...listed.matchAll(/`(.+?)`/g)].map(([, type]) => type);
  expect(types.sort()).toEqual([...WebhookEventType.options].sort());
});

describe('README files next to the code', () => {
  test('exist in each area of shared, the functions and the stacks', () => {
    expect(described.filter((folder) => !readmes.includes(`${folder}/README.md`))).toEqual([]);
    expect(described.length).toBeGreaterThan(10);
  });

  test.each(readmes)('have at most 40 lines: %s', (file) => {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test.each(readmes)('state the entry point, invariants and forbidden imports: %s', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^\*\*Start here\*\*$/m);
    expect(text).toMatch(/^\*\*(?:Other i|I)nvariants\*\*/m);
    expect(text).toMatch(/\*\*Must not depend on\*\*/);
  });
});

test('AGENTS.md has at most 60 lines', () => {
  expect(readFileSync('AGENTS.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect(readFileSync('CLAUDE.md', 'utf8')).toMatch(/^.*\[AGENTS\.md\]\(AGENTS\.md\).*\n$/);
});

test('every path mentioned in the documents exists', () => {
  const whole = ['AGENTS.md', 'CONTRIBUTING.md', 'docs/internals/architecture.md'];
  const named = [...readmes, ...whole].flatMap((file) => {
    const own = dirname(file);
    let before = own;
    return [...readFileSync(file, 'utf8').matchAll(/`([\w./-]+\.(?:ts|js|css|md))`/g)].map(([, path = '']) => {
      // READMEs may abbreviate the second path in a folder. Other documents may omit the folder.
      const elsewhere = whole.includes(file) ? `shared/**/${path}` : join(before, path);
      const [found] = [join(own, path), path, elsewhere].flatMap((place) => globSync(place));
      before = found ? dirname(found) : before;
      return { file, path, found };
    });
  });
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ found }) => found === undefined)).toEqual([]);
});

describe.each([
  ['From a receipt to a webhook', 16],
  ['From a send request to a phone', 12],
])('the walkthrough "%s" in the architecture document', (title, most) => {
  const architecture = readFileSync('docs/internals/architecture.md', 'utf8');
  const [, story = ''] = new RegExp(`^### ${title}(.*?)^##`, 'ms').exec(architecture) ?? [];
  const files = [...story.matchAll(/^\d+\. `(\S+)`/gm)].map(([, file = '']) => file);

  test(`lists at most ${most} files`, () => {
    expect(files.length).toBeGreaterThan(8);
    expect(files.length).toBeLessThanOrEqual(most);
  });

  test('follows imports between files', () => {
    const isFunction = (file: string) => file.replace(/^functions\/(.*)\.ts$/, '$1') in manifest;
    const short = globSync('functions/*/*.ts').filter((file) => readFileSync(file, 'utf8').split('\n').length <= 15);
    const importedBy = (from: readonly string[]) => new Set(from.flatMap(importsOf));
    const isReached = (file: string, n: number) =>
      isFunction(file) || importedBy([...files.slice(0, n), ...short]).has(file);
    expect(files.filter((file, n) => !isReached(file, n))).toEqual([]);
  });
});

test('the map lists every worker and folder', () => {
  const workers = Object.keys(manifest).filter((name) => name.startsWith('work/'));
  for (const worker of workers) expect(contributing).toContain(worker.replace('work/', ''));
  expect(mapped('shared')).toEqual(foldersIn('shared'));
  expect(mapped('infra')).toEqual(foldersIn('infra'));
});

test('the operating manual explains every kind of deployed resource', () => {
  const operating = readFileSync('docs/operate/operating.md', 'utf8');
  const [, section = ''] = /^## Resources and costs\n(.*)/ms.exec(operating) ?? [];
  const named = [...section.matchAll(/`(\w+::\w+)`/g)].map(([, kind]) => `AWS::${kind}`);
  const stack = synthesise({
    stage: 'prod',
    alarmEmail: 'ops@example.com',
    monthlyBudget: '20',
    domain: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f',
    hostedZoneId: 'Z123',
    hostedZoneName: 'example.com',
  });
  expect([...new Set(named)].sort()).toEqual(stack.types);
});

test('the customer documents state the default retention period', () => {
  const told = readFileSync('docs/operate/privacy.md', 'utf8').match(/^\| (charges|payments|texts) \|.*$/gm) ?? [];
  expect(told.map((row) => /(\d+) days [^|]*\|$/.exec(row)?.[1])).toEqual(Array(3).fill(String(RETENTION.defaultDays)));
});

test('every link between documents has an existing target', () => {
  const links = filesOf('md').flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([, path = '', heading]) => ({ from, to: path === '' ? from : join(dirname(from), path), heading }),
    ),
  );
  expect(links.length).toBeGreaterThan(250);
  expect(links.filter(isBroken)).toEqual([]);
});

test('every document and heading named in the code exists', () => {
  const named = filesOf('{ts,js,mjs,php,json,yml,css,md}').flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll('\\/', '/').replaceAll('\\.', '.');
    const found = text.matchAll(/(?<![\w}-]\/|[\w-])(docs\/[\w-]+\/[\w*-]*(?:\.md)?)(?:#([\w-]+))?/g);
    return [...found].map(([, to = '', heading]) => ({ file, to, heading }));
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(isBroken)).toEqual([]);
});

test('every partition of the table is listed in a table of rows', () => {
  const lists = documents.flatMap(([, text]) => text.match(/^\|.*\|$/gm) ?? []).join('\n');
  const partitions = globSync('shared/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<!gsi\d: \{\s*)\bpk: (?:\([^)]*\) =>\s*)?[`'"]([A-Z][A-Z_]+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(new Set(partitions).size).toBeGreaterThan(60);
  expect(partitions.filter((name) => !new RegExp(`\`${name}\\b`).test(lists))).toEqual([]);
});

test('the index lists every document', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const linked = [...index.matchAll(/\]\(([^)#\s]+)\)/g)].map(([, path = '']) => join('docs', path));
  const ofDecisions = 'docs/decisions/README.md';
  const written = globSync('docs/*/*.md').filter((file) => dirname(file) !== dirname(ofDecisions));
  expect(linked.filter((file) => file.startsWith('docs/')).sort()).toEqual([...written, ofDecisions].sort());
});

/** Anybody could publish packages under our names on npm. */
test('no document installs or runs our packages from npm', () => {
  const packages = globSync('infra/clients/*/package.json')
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter((described) => !described.private);
  expect(packages.length).toBeGreaterThan(1);
  const name = `(?:${packages.map((own) => `${own.name}(?!-${own.version}\\.tgz)`).join('|')})`;
  const byName = new RegExp(`\\b(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|deno)\\b.*[\\s:]${name}|"${name}[@"](?!: "file:)`);
  const examples = globSync('infra/clients/*/examples/**/package.json');
  const lines = [...documents, ...examples.map((file) => [file, readFileSync(file, 'utf8')] as const)].flatMap(
    ([file, text]) => text.split('\n').map((line) => `${file}: ${line}`),
  );
  expect(lines.filter((line) => byName.test(line))).toEqual([]);
});

test('the index lists every decision with its number and title', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8');
  const listed = [...index.matchAll(/^(\d+)\. \[(.+)\]\((.+)#(\d+)\)$/gm)].map(([, number, title, file, anchor]) => ({
    file: `docs/decisions/${file}`,
    number: Number(number),
    anchor: Number(anchor),
    title,
  }));
  const written = documents
    .filter(([file]) => /^docs\/decisions\/(?!README)/.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/^(?:<a id="(\d+)"><\/a>\n\n)?## (\d+)?(?:\. )?(.+)$/gm)].map(([, anchor, number, title]) => ({
        file,
        number: Number(number),
        anchor: Number(anchor),
        title,
      })),
    );
  expect(listed).toEqual(written.sort((one, other) => one.number - other.number));
  expect(listed.map(({ number, anchor }) => [number, anchor])).toEqual(listed.map((_, at) => [at + 1, at + 1]));
});

/** Returns the repository files that a file imports. */
function importsOf(file: string): string[] {
  const paths = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
  return [...paths].map(([, path = '']) => join(dirname(file), path));
}

/** Returns the folders listed on one line of the map below `top`. */
function mapped(top: string): string[] {
  const [, block = ''] = new RegExp(`^${top}/.*\\n((?: +.*\\n)+)`, 'm').exec(contributing) ?? [];
  const names = [...block.matchAll(/^ {2}((?:[a-z-]+\/ ?)+)/gm)].flatMap(([, line = '']) => line.trim().split(/\s+/));
  return names.map((name) => name.replace('/', '')).sort();
}

function foldersIn(top: string): string[] {
  const folders = globSync(`${top}/*/`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Returns the repository's files with this extension, except installed and generated files. */
function filesOf(ending: string): string[] {
  return globSync([`**/*.${ending}`, `.github/**/*.${ending}`, '.ci/*'], {
    exclude: (name) => /(?:^|\/)(?:node_modules|\.generated|cdk\.out|dist|coverage)$/.test(name),
  }).filter((file) => !file.endsWith('/'));
}

function isBroken({ to, heading }: { to: string; heading: string | undefined }): boolean {
  return globSync(to).length === 0 || (heading !== undefined && !anchorsOf(to).includes(heading));
}

/** Returns explicit anchors and those that GitHub generates from headings. */
function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const slugOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
  return [...headings, ...[...text.matchAll(/^<a id="(\S+)"><\/a>$/gm)].map(([, id = '']) => id)];
}
