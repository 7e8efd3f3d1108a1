import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { createNodeFsMountHandler, loadNodeRuntime } from '@php-wasm/node';
import { PHP } from '@php-wasm/universal';
import { unzipSync } from 'fflate';
import { problemOf, triedWith, zip } from '../../build/zip.mjs';

const root = join(import.meta.dirname, '../..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

/** PHP versions that WooCommerce supports and that are still in use. */
for (const php of ['7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5']) {
  test(`on PHP ${php}`, async (on) => {
    const { run, stop } = await startPhp(php);
    on.after(stop);
    await on.test('every file of the plugin parses', async () => {
      const wrong = await run(
        `$wrong = array(); foreach ( array_merge( glob( '/plugin/*.php' ), glob( '/plugin/includes/*.php' ) ) as $file ) { try { token_get_all( file_get_contents( $file ), TOKEN_PARSE ); } catch ( ParseError $error ) { $wrong[] = $file . ': ' . $error->getMessage(); } } echo json_encode( $wrong );`,
      );
      assert.deepEqual(wrong, []);
    });
    for (const part of [
      'money',
      'signature',
      'plan',
      'settings',
      'held',
      'trouble',
      'died',
      'proof',
      'refund',
      'page',
    ]) {
      await on.test(part, async () => {
        const results = await run(
          `require '/test/wordpress.php'; require '/test/${part}.php'; echo json_encode( $GLOBALS['results'] );`,
        );
        assert.ok(results.length > 5, `only ${results.length} claims`);
        assert.deepEqual(
          results.filter(({ is_so }) => !is_so),
          [],
        );
      });
    }
  });
}

async function startPhp(php) {
  const engine = new PHP(await loadNodeRuntime(php, { emscriptenOptions: { processId: 1 } }));
  for (const [at, folder] of [
    ['/plugin', 'plugin'],
    ['/test', 'test/unit'],
  ]) {
    engine.mkdir(at);
    await engine.mount(at, createNodeFsMountHandler(join(root, folder)));
  }
  const run = async (code) => {
    const { text, errors } = await engine.run({ code: `<?php ${code}` });
    assert.equal(errors, '', text);
    return JSON.parse(text);
  };
  return { run, stop: () => engine.exit() };
}

test("the zip contains only the plugin's folder", async () => {
  const files = unzipSync(await zip());
  const names = Object.keys(files).sort();
  const ours = globSync('**/*', { cwd: join(root, 'plugin'), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'plugin/').length));
  assert.deepEqual(
    names,
    [...ours.map((name) => `momo-kiosk/${name}`), 'momo-kiosk/LICENSE', 'momo-kiosk/languages/momo-kiosk.pot'].sort(),
  );
  for (const name of ours)
    assert.equal(Buffer.from(files[`momo-kiosk/${name}`]).compare(readFileSync(join(root, 'plugin', name))), 0);
  const words = Buffer.from(files['momo-kiosk/languages/momo-kiosk.pot']).toString();
  assert.match(words, /msgid "Replace the webhook"/);
  assert.match(words, /msgid_plural "%d charges were checked/);
  const translated = [...globSync('plugin/**/*.php', { cwd: root })].flatMap((file) => [
    ...read(file).matchAll(/\b(?:esc_html_)?_[_n]\(\s*'((?:[^'\\]|\\.)*)'/g),
  ]);
  assert.ok(translated.length > 60);
  for (const [, text] of translated) {
    const written = text.replaceAll("\\'", "'").replaceAll('"', '\\"');
    assert.ok(words.includes(written.slice(0, 40)), `the .pot lacks: ${text}`);
  }
});

test('all files state the same version', () => {
  const main = read('plugin/momo-kiosk.php');
  assert.equal(/^ \* Version: (.+)$/m.exec(main)?.[1], version);
  assert.equal(/'MOMO_KIOSK_VERSION', '(.+)'/.exec(main)?.[1], version);
  assert.equal(/^Stable tag: (.+)$/m.exec(read('plugin/readme.txt'))?.[1], version);
  assert.ok(read('plugin/readme.txt').includes(`\n= ${version} =\n`));
});

test('readme.txt and the main file state the same requirements', () => {
  for (const line of ['Requires at least', 'Requires PHP', 'WC requires at least', 'WC tested up to']) {
    const found = (text) => new RegExp(`^(?: \\* )?${line}: (.+)$`, 'm').exec(text)?.[1];
    assert.ok(found(read('plugin/momo-kiosk.php')), line);
    assert.equal(found(read('plugin/readme.txt')), found(read('plugin/momo-kiosk.php')), line);
  }
});

test('the documented tested versions match the headers', () => {
  const tried = triedWith();
  for (const [line, name] of [
    ['Tested up to', 'WordPress'],
    ['WC tested up to', 'WooCommerce'],
  ]) {
    const [, version] = new RegExp(`^${line}: (.+)$`, 'm').exec(read('plugin/readme.txt'));
    assert.match(tried, new RegExp(`${name} ${version.replace('.', '\\.')}[. ,]`));
  }
});

test('the zip can be built only with the pinned Node', () => {
  assert.equal(problemOf(process.versions.node), undefined);
  assert.match(problemOf('20.20.2'), /^This is Node 20\.20\.2\. .* Node 24\.\d+\.\d+, .* npx node build\/zip\.mjs/);
});

test('every note on an order is written as plain text', () => {
  const notes = [...globSync('plugin/**/*.php', { cwd: root })].flatMap((file) =>
    [...read(file).matchAll(/->(?:add_order_note|update_status)\(.*/g)].map(([call]) => call),
  );
  assert.ok(notes.length > 1);
  for (const call of notes) assert.match(call, /esc_html\( \$(?:note|step\['note'\]) \)/);
});

test('uninstalling removes every option of the plugin', () => {
  const set = [...globSync('plugin/**/*.php', { cwd: root })].flatMap((file) =>
    [...read(file).matchAll(/'(momo_kiosk_(?:table|home|heard|tended|secret_\w+|held))'/g)].map(([, name]) => name),
  );
  const removed = read('plugin/uninstall.php');
  for (const name of new Set(set)) assert.ok(removed.includes(`'${name}'`), name);
  const calls = [...globSync('plugin/includes/*.php', { cwd: root })].flatMap((file) => [
    ...read(file).matchAll(/(?<!this->)update_option\( (?:\$live \? )?'?([a-zA-Z_:]+)/g),
  ]);
  for (const [, name] of calls) assert.match(name, /^momo_kiosk_/);
});

test('the script registers the gateway with the checkout block', () => {
  const offered = [];
  const decodeEntities = (text) => text.replaceAll('&amp;', '&');
  const window = {
    wc: {
      wcSettings: {
        getSetting: (name) => {
          assert.equal(name, 'momo_kiosk_data');
          return { title: 'MoMo &amp; more', description: 'Pay &amp; go', supports: ['products', 'refunds'] };
        },
      },
      wcBlocksRegistry: { registerPaymentMethod: (method) => offered.push(method) },
    },
    wp: {
      htmlEntities: { decodeEntities },
      element: { createElement: (kind, _, text) => (typeof kind === 'function' ? kind() : { kind, text }) },
    },
  };
  vm.runInNewContext(read('plugin/assets/blocks.js'), { window });
  const [method] = offered;
  assert.equal(offered.length, 1);
  assert.equal(method.name, 'momo_kiosk');
  assert.equal(method.label, 'MoMo & more');
  assert.equal(method.content.text, 'Pay & go');
  assert.equal(method.canMakePayment(), true);
  assert.equal(method.supports.features.join(), 'products,refunds');
});
