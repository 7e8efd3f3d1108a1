import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionInWords } from '../../../shared/pages/dashboard/settings/audit.ts';

/** Operator actions that concern no merchant. */
const OF_THE_STAGE = /^(dead-letters|sender|gateway) /;

test('every audited merchant action has a description', () => {
  const noted = ['functions', 'shared', 'infra/admin'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/(?:action|audited): '([a-z-]+ [a-z-]+)'/g),
      ])
      .map(([, action = '']) => action),
  );
  expect(noted.length).toBeGreaterThan(20);
  const without = noted.filter((action) => !OF_THE_STAGE.test(action) && actionInWords({ action }) === action);
  expect(without).toEqual([]);
});
