import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appearances } from '../support/appearances.ts';
import { browserForTests } from '../support/browser.ts';
import { keyboardFaults, looksWrong } from '../support/page-faults.ts';

// Tests that the page checks find each fault.

const at = browserForTests();
const FOCUS = ':focus-visible { outline: 3px solid #0f7341 }';

async function shown(body: string, style = FOCUS): Promise<Page> {
  const page = await at.newPage(appearances[0]);
  await page.setContent(`<!doctype html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><h1>Shop</h1>${body}</main></body></html>`);
  return page;
}

test('a page without faults has no findings', async () => {
  const page = await shown(
    '<p><a href="/one">One</a></p><p><label>Day <input type="date"></label></p><p><button>Go</button></p>',
  );
  expect({ looks: await looksWrong(page), keyboard: await keyboardFaults(page) }).toEqual({ looks: [], keyboard: [] });
});

describe('page layout faults', () => {
  test.each([
    ['a word wider than the screen', `<p>${'thread'.repeat(20)}</p>`, 'scrolls sideways'],
    [
      'an element outside the screen',
      '<p style="position: fixed; left: 300px; width: 100px">Away</p>',
      'is outside of the screen: <p',
    ],
    ['text without contrast', '<p style="color: #aaa">Faint</p>', 'color-contrast'],
    ['a field without a label', '<input>', 'label'],
    [
      'fields that touch',
      '<style>p { margin: 0 }</style><p class="field"><label>One <input></label></p><p class="field"><label>Two <input></label></p>',
      'has no room above it: Two',
    ],
    [
      'buttons too small for a finger',
      '<button style="width: 12px; height: 12px; padding: 0">a</button><button style="width: 12px; height: 12px; padding: 0">b</button>',
      'target-size',
    ],
  ])('include %s', async (_, body, fault) => {
    expect(await looksWrong(await shown(body))).toContainEqual(expect.stringContaining(fault));
  });

  test('exclude a table that scrolls in its own box', async () => {
    const wide = '<div style="overflow-x: auto" tabindex="0"><p style="width: 900px">Wide</p></div>';
    expect(await looksWrong(await shown(wide))).toEqual([]);
  });
});

describe('keyboard accessibility faults', () => {
  test.each([
    ['an invisible focus', '<a href="/one">One</a>', 'a { outline: none }', 'does not show its focus: <a'],
    [
      'a focus covered by another element',
      '<a href="/one">One</a><div style="position: fixed; inset: 0; background: #fff">Over it</div>',
      FOCUS,
      'where nobody sees it: <a',
    ],
    [
      'a link that Tab does not reach',
      '<a href="/one">One</a><details open><summary>More</summary><a id="two" href="/two">Two</a></details><script>document.getElementById("two").addEventListener("focus", ({ target }) => target.blur())</script>',
      FOCUS,
      'is not reached by the Tab key',
    ],
  ])('include %s', async (_, body, style, fault) => {
    expect(await keyboardFaults(await shown(body, style))).toContainEqual(expect.stringContaining(fault));
  });
});
