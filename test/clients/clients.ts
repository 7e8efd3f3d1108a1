import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { command } from './command.ts';

interface Workspace {
  /** The folder for downloads and generated clients. */
  readonly folder: string;
  readonly document: string;
  /** The programs' environment variables. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Client {
  readonly name: string;
  /** Commands that are needed to generate or use the client. */
  readonly needs: readonly string[];
  /** Generates the client and uses it. @returns the output of the program that uses the client. */
  readonly run: (place: Workspace) => Promise<string>;
}

/** The newest releases. They are downloaded, and their output is never committed. */
const OPENAPI_GENERATOR = '7.25.0';
const OPENAPI_GENERATOR_CLI = '2.41.0';
const OPENAPI_PYTHON_CLIENT = '0.29.1';
const GUZZLE = '7.10.0';
const EXEC_MAVEN_PLUGIN = '3.6.2';

const PROGRAMS = join(import.meta.dirname, 'programs');
const OWN_CLIENT = join(import.meta.dirname, '../../infra/clients/typescript');

export const clients: readonly Client[] = [
  {
    name: 'our own for TypeScript',
    needs: [],
    run: async ({ folder, environment }) => {
      const project = emptied(join(folder, 'typescript'));
      mkdirSync(project);
      await command('npm', ['pack', '--pack-destination', project], { cwd: OWN_CLIENT });
      const [packed = ''] = globSync('*.tgz', { cwd: project });
      writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
      await command('npm', ['install', `./${packed}`], { cwd: project });
      cpSync(join(PROGRAMS, 'program.mjs'), join(project, 'program.mjs'));
      return command(process.execPath, ['program.mjs'], { cwd: project, environment });
    },
  },
  ...['oazapfts', 'openapi-typescript', 'hey-api'].map((name) => ({
    name: `${name} for TypeScript`,
    needs: [],
    run: (place: Workspace) => typescriptClient(place, name),
  })),
  {
    name: `openapi-generator ${OPENAPI_GENERATOR} for PHP`,
    needs: ['java', 'php', ...(existsSync(guzzleOfDebian()) ? [] : ['composer'])],
    run: async (place) => {
      const client = await generate(place, 'php');
      const environment = { ...place.environment, CLIENT: client, GUZZLE: await guzzle(place) };
      return command('php', [join(PROGRAMS, 'program.php')], { environment });
    },
  },
  {
    name: `openapi-generator ${OPENAPI_GENERATOR} for Python`,
    needs: ['java', 'python3'],
    run: async (place) => {
      const client = await generate(place, 'python');
      const python = await virtualEnvironment(place, 'openapi-generator', ['-r', join(client, 'requirements.txt')]);
      const environment = { ...place.environment, PYTHONPATH: client };
      return command(join(python, 'python'), [join(PROGRAMS, 'openapi_generator.py')], { environment });
    },
  },
  {
    name: `openapi-generator ${OPENAPI_GENERATOR} for Java`,
    needs: ['java', 'mvn'],
    run: async (place) => {
      const client = await generate(place, 'java');
      cpSync(join(PROGRAMS, 'Program.java'), join(client, 'src/main/java/Program.java'));
      const plugin = `org.codehaus.mojo:exec-maven-plugin:${EXEC_MAVEN_PLUGIN}:java`;
      const quiet = ['-q', '-B', '-Dstyle.color=never', '-Dmaven.test.skip=true'];
      const options = [...quiet, '-Dexec.mainClass=Program', 'compile', plugin];
      return command('mvn', options, { cwd: client, environment: place.environment });
    },
  },
  {
    name: `openapi-generator ${OPENAPI_GENERATOR} for Go`,
    needs: ['java', 'go'],
    run: async (place) => {
      const names = ['--git-host=example.com', '--git-user-id=momo', '--git-repo-id=kiosk'];
      const client = await generate(place, 'go', names);
      mkdirSync(join(client, 'program'));
      cpSync(join(PROGRAMS, 'program.go'), join(client, 'program/main.go'));
      return command('go', ['run', './program'], { cwd: client, environment: place.environment });
    },
  },
  {
    name: `openapi-python-client ${OPENAPI_PYTHON_CLIENT}`,
    needs: ['python3'],
    run: async (place) => {
      const client = emptied(join(place.folder, 'openapi-python-client'));
      // The generated client needs its generator's dependencies.
      const generator = `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`;
      const python = await virtualEnvironment(place, 'openapi-python-client', [generator]);
      const written = ['--path', place.document, '--output-path', client];
      const options = ['generate', ...written, '--overwrite', '--fail-on-warning'];
      // The generator looks up its formatter by name.
      const PATH = `${python}:${process.env.PATH}`;
      await command(join(python, 'openapi-python-client'), options, { cwd: place.folder, environment: { PATH } });
      const environment = { ...place.environment, PYTHONPATH: client };
      return command(join(python, 'python'), [join(PROGRAMS, 'openapi_python_client.py')], { environment });
    },
  },
];

/**
 * Acts as a merchant's engineer: the program compiles in strict mode, and the compiler rejects a missing required field
 * and a misread answer.
 */
async function typescriptClient({ folder, document, environment }: Workspace, name: string): Promise<string> {
  const project = emptied(join(folder, name));
  const made = join(project, 'client');
  mkdirSync(made, { recursive: true });
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  await command(process.execPath, [join(import.meta.dirname, 'generate.ts'), document, made]);
  cpSync(join(PROGRAMS, 'tell.ts'), join(project, 'tell.ts'));
  const program = readFileSync(join(PROGRAMS, `${name}.ts`), 'utf8');
  writeFileSync(join(project, 'program.ts'), program);
  const wrong = program.replace('amount: 36.5, ', '').replace('const page: string', 'const page: number');
  writeFileSync(join(project, 'wrong.ts'), wrong);
  await compile(project, 'program.ts');
  const faults = await compile(project, 'wrong.ts').then(
    () => '',
    (error: Error) => error.message,
  );
  for (const fault of ["Property 'amount' is missing", "Type 'string' is not assignable to type 'number'"])
    if (!faults.includes(fault))
      throw new Error(`The compiler should report ${fault}, but reports ${faults || 'nothing'}`);
  return command(process.execPath, ['program.ts'], { cwd: project, environment });
}

function compile(project: string, file: string): Promise<string> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  return command(resolve('node_modules/.bin/tsc'), ['--project', project]);
}

/** Generates the client for a language with openapi-generator. */
async function generate(
  { folder, document }: Workspace,
  language: string,
  options: readonly string[] = [],
): Promise<string> {
  const generator = join(folder, 'openapi-generator');
  const cli = join(generator, 'node_modules/.bin/openapi-generator-cli');
  if (!existsSync(cli)) {
    mkdirSync(generator, { recursive: true });
    writeFileSync(join(generator, 'package.json'), '{ "private": true }');
    const tools = JSON.stringify({ 'generator-cli': { version: OPENAPI_GENERATOR } });
    writeFileSync(join(generator, 'openapitools.json'), tools);
    const wanted = `@openapitools/openapi-generator-cli@${OPENAPI_GENERATOR_CLI}`;
    await command('npm', ['install', '--no-save', '--ignore-scripts', wanted], { cwd: generator });
  }
  const client = emptied(join(folder, `openapi-generator-${language}`));
  await command(cli, ['generate', '-i', document, '-g', language, '-o', client, ...options], { cwd: generator });
  return client;
}

/** Creates a Python environment with the given packages. @returns the folder with their commands. */
export async function virtualEnvironment(
  { folder }: Pick<Workspace, 'folder'>,
  name: string,
  packages: readonly string[],
): Promise<string> {
  const home = join(folder, `python-${name}`);
  if (!existsSync(home)) await command('python3', ['-m', 'venv', home]);
  await command(join(home, 'bin/pip'), ['install', '-q', ...packages]);
  return join(home, 'bin');
}

/** Returns Guzzle's autoloader for the PHP client, either Debian's or one installed by Composer. */
async function guzzle({ folder }: Workspace): Promise<string> {
  if (existsSync(guzzleOfDebian())) return guzzleOfDebian();
  const home = join(folder, 'guzzle');
  mkdirSync(home, { recursive: true });
  await command('composer', ['require', '--no-interaction', `guzzlehttp/guzzle:${GUZZLE}`], { cwd: home });
  return join(home, 'vendor/autoload.php');
}

function guzzleOfDebian(): string {
  return '/usr/share/php/GuzzleHttp/autoload.php';
}

function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  return folder;
}
