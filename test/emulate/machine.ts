import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../infra/local/loopback.ts';
import { RECEIVER, SMSGATE } from './internet.ts';

/**
 * Prepares the machine for the emulated run: MiniStack and the AWS CLI in a Python environment, a certificate, the
 * internet hosts, and processes that all end with the run.
 */

/**
 * Pinned, because other versions have different gaps. Only version 1 of the AWS CLI is published as a Python package.
 */
const PACKAGES = ['ministack==1.5.33', 'awscli==1.46.3'];
export const ACCOUNT = '123456789012';
const REGION = 'eu-west-1';
const CLOUD = 'execute-api.cloud.example.com';
const SIGNING_KEY = 'what-the-emulated-phone-signs-with';

/** Thrown if this machine lacks something. The message says what to install. */
class Missing extends Error {}

export interface Machine {
  readonly environment: NodeJS.ProcessEnv;
  readonly phoneUrl: string;
  run(command: string, heard?: (text: string) => void): Promise<{ printed: string; code: number }>;
  stop(): Promise<void>;
}

/**
 * Prepares the machine. @param folder An absolute path, because functions run in folders of their own. @throws Missing
 */
export async function startMachine(folder: string): Promise<Machine> {
  mkdirSync(folder, { recursive: true });
  const python = preparePython(folder);
  makeCertificate(folder);
  const [gatewayPort, internetPort] = [await freePort(), await freePort()];
  const certificate = join(folder, 'certificate.pem');
  const environment = {
    ...withoutOwnSettings(process.env),
    PATH: [resolve('node_modules/.bin'), python, process.env.PATH].join(delimiter),
    AWS_ENDPOINT_URL: `https://127.0.0.1:${gatewayPort}`,
    // The emulator uses the account number as the root user's access key.
    AWS_ACCESS_KEY_ID: ACCOUNT,
    AWS_SECRET_ACCESS_KEY: 'emulated',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'preload.cjs'))} --disable-warning=DEP0169`,
    EMULATED_CLOUD: CLOUD,
    EMULATED_INTERNET: [internetPort, ...elsewhere].join(' '),
    SMSGATE_PASSWORD: 'emulated',
    SMSGATE_SIGNING_KEY: SIGNING_KEY,
    CDK_REQUIRE_APPROVAL: 'never',
    CDK_FORCE: 'true',
    CDK_PROGRESS: 'events',
  };
  const running: { stop(): Promise<void> }[] = [];
  let isStopped = false;
  const stop = async () => {
    isStopped = true;
    await Promise.all(running.map((one) => one.stop()));
  };
  const start = (name: string, command: string, args: string[], more: NodeJS.ProcessEnv = {}) => {
    const started = startGroup(command, args, { env: { ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(folder, `${name}.log`));
    started.heard((text) => log.write(text));
    running.push(started);
    return started;
  };
  try {
    const cloud = start('ministack', join(python, 'ministack'), [], {
      GATEWAY_PORT: String(gatewayPort),
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: CLOUD.replace('execute-api.', ''),
      MINISTACK_REGION: REGION,
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificate,
      MINISTACK_SSL_KEY: join(folder, 'key.pem'),
      // Enforces IAM, so that roles can only do what their policies allow.
      AUTH: 'true',
      LAMBDA_EXECUTOR: 'local',
      LAMBDA_ACCOUNT_CONCURRENCY: '1000',
      PERSIST_STATE: '0',
    });
    await cloud.says(/Running on /);
    const internet = start('internet', process.execPath, [
      join(import.meta.dirname, 'internet.ts'),
      folder,
      String(internetPort),
      SIGNING_KEY,
    ]);
    const [, phoneUrl = ''] = await internet.says(/^ready (\S+)$/m);
    return { environment, phoneUrl, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function run(command: string, heard?: (text: string) => void) {
    if (isStopped) throw new Error('The machine was stopped. Start the run again.');
    const shell = startGroup('bash', ['-c', command], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(shell);
    if (heard) shell.heard(heard);
    const { code } = await shell.ended;
    running.splice(running.indexOf(shell), 1);
    return { printed: shell.printed(), code: code ?? 1 };
  }
}

const elsewhere = [SMSGATE.hostname, new URL(RECEIVER).hostname];

/** Starts a process group that can be ended as a whole. */
function startGroup(command: string, args: string[], options: SpawnOptions) {
  const child = spawn(command, args, { ...options, detached: true });
  let printed = '';
  const listeners: ((text: string) => void)[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      printed += text;
      for (const listen of listeners) listen(String(text));
    });
  const ended = new Promise<{ code: number | null }>((done) => {
    child.once('close', (code) => done({ code }));
    child.once('error', (error) => {
      printed += error.message;
      done({ code: null });
    });
  });
  return {
    ended,
    printed: () => printed,
    heard: (listen: (text: string) => void) => void listeners.push(listen),
    async says(words: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = words.exec(printed);
        if (found) return found;
        const isOver = await Promise.race([ended.then(() => true), sleep(100, false)]);
        if (isOver) throw new Error(`${command} ended: ${printed.slice(-2000)}`);
      }
    },
    async stop() {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (!kill(child.pid, signal)) return;
        for (let waitedMs = 0; waitedMs < 10_000 && kill(child.pid, 0); waitedMs += 50) await sleep(50);
      }
    },
  };
}

function kill(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Returns the folder with the programs that Python installed. @throws Missing */
function preparePython(folder: string): string {
  const python = ['python3', 'python'].find((name) => {
    const { status } = spawnSync(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
    return status === 0;
  });
  if (!python) {
    throw new Missing(
      'Only npm run prove -- emulate needs Python 3.10 or newer with venv. Install it with `apt install python3-venv`, `brew install python` or from python.org.',
    );
  }
  const version = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12);
  const home = join(folder, `python-${version}`);
  const programs = join(home, 'bin');
  const whole = join(home, 'whole');
  if (existsSync(whole)) return programs;
  rmSync(home, { recursive: true, force: true });
  try {
    execFileSync(python, ['-m', 'venv', home], { stdio: 'pipe' });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES];
    execFileSync(join(programs, 'python'), pip, { stdio: 'pipe' });
  } catch (error) {
    throw new Missing(
      `Python could not install ${PACKAGES.join(' and ')}. Install venv (\`apt install python3-venv\`) and check that Python can download packages. ${error instanceof Error ? error.message : error}`,
    );
  }
  writeFileSync(whole, '');
  return programs;
}

/** Creates a certificate for all hosts that only the run's processes trust. @throws Missing */
function makeCertificate(folder: string): void {
  const names = ['localhost', `*.${CLOUD}`, ...elsewhere].map((name) => `DNS:${name}`);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
  const about = ['-subj', '/CN=npm run prove -- emulate', '-addext', 'basicConstraints=critical,CA:FALSE'];
  const alternatives = ['-addext', `subjectAltName=${[...names, 'IP:127.0.0.1'].join(',')}`];
  const { status, error } = spawnSync('openssl', [...request, ...files, ...about, ...alternatives], { stdio: 'pipe' });
  if (status !== 0) throw new Missing(`npm run prove -- emulate needs openssl 1.1.1 or newer. ${error?.message ?? ''}`);
}

/** Removes the user's settings, which might affect the run or direct it to a real account. */
function withoutOwnSettings(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOwn = /^(AWS_|CDK_|MOMO_|SMSGATE_|NODE_OPTIONS|LOCAL_DIR|AUTH$|npm_)/;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isOwn.test(name)));
}
