import { expect, test } from 'vitest';
import { pageAssets } from '../../../infra/assets/assets.ts';

test('inlined styles and scripts never contain their end tag', () => {
  const assets = [...pageAssets()].flatMap(([file, text]) =>
    Object.entries<string>(JSON.parse(text)).map(([name, asset]) => ({ file, name, asset })),
  );
  const files = assets.filter(({ file }) => file.endsWith('/assets.json'));
  expect(files.map(({ file, name }) => `${file} ${name}`)).toEqual([
    ...['infra/phone/assets.json phone.css', 'infra/phone/assets.json phone.js'],
    ...['shared/pages/checkout/assets.json checkout.css', 'shared/pages/checkout/assets.json checkout.js'],
    ...['shared/pages/dashboard/app/assets.json badge.png', 'shared/pages/dashboard/app/assets.json icon-192.png'],
    ...['shared/pages/dashboard/app/assets.json icon-512.png', 'shared/pages/dashboard/app/assets.json push.js'],
    ...['shared/pages/dashboard/app/assets.json worker.js', 'shared/pages/dashboard/assets.json dashboard.css'],
    ...['shared/pages/dashboard/assets.json dashboard.js', 'shared/pages/dashboard/assets.json passkey.js'],
    ...['shared/pages/dashboard/assets.json texts.js', 'shared/pages/dashboard/assets.json till.js'],
    ...['shared/pages/docs/assets.json reference.css', 'shared/pages/docs/assets.json reference.js'],
    'shared/pages/pay/assets.json pay.css',
  ]);
  for (const { name, asset } of assets) expect(asset, name).not.toMatch(/<\/(style|script)/i);
});

test('a page’s styles are bundled into one file', () => {
  for (const folder of ['checkout', 'dashboard', 'docs']) {
    const assets = pageAssets().get(`shared/pages/${folder}/assets.json`);
    for (const shared of ['--accent:#0f7341', '--accent:#4cc487']) expect(assets?.split(shared)).toHaveLength(2);
    expect(assets).not.toContain('@import');
  }
});
