import { beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { expectCost } from '../../support/cpu.ts';
import { type Scene, scene } from '../../support/scene.ts';

/** CPU time per request, in scans of a megabyte. The phone waits five seconds for a response. */
const MAX_SCANS = 50;

const EVENT = '"event":"sms:received","id":"1","deviceId":"device-1"';

/** Bodies that are expensive to parse, by size in bytes. */
const bodies: Readonly<Record<string, (bytes: number) => string>> = {
  'a string of escaped quotes that never ends': (bytes) => `"${filled('\\"', bytes)}`,
  'a string of backslashes that never ends': (bytes) => `"${filled('\\', bytes)}`,
  'an event whose text never ends': (bytes) => `{${EVENT},"payload":{"message":"\n${filled('\\"', bytes)}`,
  'an event whose text ends in line feeds': (bytes) => `{${EVENT},"payload":{"message":"${filled('\n', bytes)}"}}x`,
  'strings between raw line feeds': (bytes) => filled('"\n', bytes),
  'strings of invalid escapes': (bytes) => filled('"\\\n"', bytes),
  quotes: (bytes) => filled('"', bytes),
  'phone names': (bytes) => filled('"deviceId"', bytes),
  'a phone name and blanks': (bytes) => filled('"deviceId" ', bytes).padEnd(bytes - 1000),
  'phone names with blanks': (bytes) => filled(`"deviceId"${' '.repeat(500)}:${' '.repeat(500)}`, bytes),
  'long phone names': (bytes) => filled(`"deviceId":"${'a'.repeat(64)}`, bytes),
  blanks: (bytes) => `${' '.repeat(bytes - 1000)}x`,
  'line feeds': (bytes) => `${'\n'.repeat(bytes - 1000)}x`,
  lists: (bytes) => filled('[', bytes),
  'closed lists': (bytes) => `{${EVENT},"payload":${'['.repeat(bytes / 3)}${']'.repeat(bytes / 3)}}`,
  objects: (bytes) => filled('{"a":', bytes),
  'a number': (bytes) => filled('1', bytes),
  'duplicate names': (bytes) => `{${EVENT},${filled('"a":1,', bytes)}"b":1}`,
  'many names': (bytes) => `{${EVENT},${Array.from({ length: bytes / 12 }, (_, n) => `"a${n}":1,`).join('')}"b":1}`,
  'a form': (bytes) => filled('a=%22&', bytes),
  'a form of percent signs': (bytes) => filled('%', bytes),
};

function filled(part: string, bytes: number): string {
  return part.repeat((bytes - 1000) / Buffer.byteLength(part));
}

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

const routes = ['callback/smsgate', 'callback/forwarder'] as const;

test('every callback route has a cost test', () => {
  expect(Object.keys(manifest).filter((route) => route.startsWith('callback/'))).toEqual(routes);
});

describe.each(routes)('an unsigned callback to %s', (route) => {
  test.each(Object.entries(bodies))('is rejected at little cost if its body contains %s', async (_, bodyOf) => {
    const body = bodyOf(manifest[route].maxBodyKilobytes * 1024);
    const parameters = { gateway: 'phone', phone: 'phone' };
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const post = async () => {
        const { status } = await world.call(route, { parameters, headers: { 'content-type': type }, body });
        expect([400, 401]).toContain(status);
      };
      await expectCost(MAX_SCANS, post);
    }
  });
});
