import { signIn } from '../support/dashboard.ts';
import { looksOf } from '../support/dashboard-looks.ts';
import { pagePatterns } from '../support/dashboard-pages.ts';
import { createMerchant, createWorld } from '../support/world.ts';

// Every page that can be opened where nothing has happened yet.

const world = await createWorld({ inMemory: true });
const { id } = await createMerchant(world);
const people = { owner: await signIn(world, 'owner', id), operator: await signIn(world, 'operator') };
const pages = (await pagePatterns()).filter(({ pattern }) => !pattern.includes('{'));
looksOf(
  { world, people },
  pages.map((page) => ({ ...page, address: page.pattern })),
  1,
);
