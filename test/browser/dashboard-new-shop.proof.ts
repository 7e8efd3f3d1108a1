import { signIn } from '../support/dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { pagePatterns } from '../support/dashboard-pages.ts';
import { isWhole } from '../support/slice.ts';
import { createMerchant, createWorld } from '../support/world.ts';

// Opens every page of a shop without data. `npm run prove -- quick` opens only the first ones.

const FIRST = ['/dashboard/today', '/dashboard/charges', '/dashboard/texts'];

const world = await createWorld({ inMemory: true });
const { id } = await createMerchant(world);
const people = { owner: await signIn(world, 'owner', id), operator: await signIn(world, 'operator') };
const pages = (await pagePatterns()).filter(({ pattern }) =>
  isWhole ? !pattern.includes('{') : FIRST.includes(pattern),
);
looksOf(
  { world, people },
  pages.map((page) => ({ ...page, address: page.pattern })),
);
