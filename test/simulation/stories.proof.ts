import { test } from 'vitest';
import { stories, tellOnce } from './crash-matrix.ts';

// Runs every story daily, because the matrix's files rotate.
test.each(Object.entries(stories))('the story ends correctly without faults: %s', (_, story) => tellOnce(story));
