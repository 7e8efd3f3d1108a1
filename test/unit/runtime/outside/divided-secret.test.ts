import { beforeEach, expect, test } from 'vitest';
import { idOfSecret, readDivided, writeDivided } from '../../../../shared/runtime/outside/divided-secret.ts';

const BYTES = 500;
const account = (phones: number) => ({
  url: 'https://api.example.com/3rdparty/v1',
  username: 'ama',
  password: 'a "quoted" word',
  signing_keys: Object.fromEntries(Array.from({ length: phones }, (_, n) => [`device-${n}`, `key-${n}`])),
});

let secrets: Map<number, string>;
let reads: number[];
beforeEach(() => {
  secrets = new Map();
  reads = [];
});

test('a small value is stored in one secret', async () => {
  await store({ phone: account(2) });
  expect([...secrets]).toEqual([[1, JSON.stringify({ phone: account(2) })]]);
  expect(JSON.parse(await read())).toEqual({ phone: account(2) });
  expect(reads).toEqual([1]);
});

test('a large value is split across several secrets', async () => {
  const accounts = { phone: account(40), empty: account(0), other: account(3) };
  await store(accounts);
  expect(secrets.size).toBeGreaterThan(2);
  for (const text of secrets.values()) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BYTES);
  expect(JSON.parse(await read())).toEqual(accounts);
  await store({ phone: account(1) });
  expect(JSON.parse(await read())).toEqual({ phone: account(1) });
});

test('readers never see a mixture of two values', async () => {
  for (let phones = 1; phones <= 40; phones++) {
    const before = { phone: account(phones - 1), other: account(5) };
    await store(before);
    await store({ phone: account(phones), other: account(5) }, async () => {
      expect(JSON.parse(await read())).toMatchObject(before);
    });
  }
});

test('a value too large for nine secrets is rejected', async () => {
  const many = (count: number) =>
    JSON.stringify({
      phone: {
        ...account(0),
        signing_keys: Object.fromEntries(
          Array.from({ length: count }, (_, n) => [String(n).padStart(21, 'd'), String(n).padStart(12, 'k')]),
        ),
      },
    });
  const write = async (number: number, text: string) => void secrets.set(number, text);
  await writeDivided(many(10_000), write);
  expect(secrets.size).toBeLessThanOrEqual(9);
  await expect(writeDivided(many(20_000), write)).rejects.toThrow('does not fit into 9 secrets');
});

test.each(['{"+": 1', 'no JSON with "+"', '{"phone": "+"}', '[]', ''])(
  '%j is stored and read back unchanged',
  async (text) => {
    secrets.set(1, text);
    expect(await read()).toBe(text);
  },
);

test('the ids of additional secrets are derived from the first one', () => {
  const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:momo-kiosk-prod/gateways-AbC123';
  expect([1, 2].map((number) => idOfSecret('momo-kiosk-prod/gateways', number))).toEqual([
    'momo-kiosk-prod/gateways',
    'momo-kiosk-prod/gateways/2',
  ]);
  expect([1, 9].map((number) => idOfSecret(ARN, number))).toEqual([ARN, 'momo-kiosk-prod/gateways/9']);
});

function read(): Promise<string> {
  return readDivided(async (number) => {
    reads.push(number);
    const text = secrets.get(number);
    if (text === undefined) throw new Error(`There is no secret ${number}`);
    return text;
  });
}

function store(tree: object, after: () => Promise<void> = async () => {}): Promise<void> {
  return writeDivided(
    JSON.stringify(tree),
    async (number, text) => {
      secrets.set(number, text);
      await after();
    },
    BYTES,
  );
}
