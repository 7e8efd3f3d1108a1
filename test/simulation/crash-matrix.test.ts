import { afterAll, describe, expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { crashStory, type Figures, stories } from './crash-matrix.ts';

const told: Figures[] = [];

describe('whatever goes wrong at whichever call, nothing is lost or doubled', () => {
  test.each(Object.entries(stories))(
    '%s',
    async (_, story) => {
      const figures = await crashStory(story);
      told.push(figures);
      expect(figures.cases).toBeGreaterThan(figures.boundaries);
      expect(figures.violations).toEqual([]);
    },
    120_000,
  );
});

afterAll(() => {
  const sum = (of: (figures: Figures) => number) => told.reduce((total, figures) => total + of(figures), 0);
  const [boundaries, cases, violations] = [
    sum((figures) => figures.boundaries),
    sum((figures) => figures.cases),
    sum((figures) => figures.violations.length),
  ];
  reportFigure(
    `crash matrix: ${told.length} stories, ${boundaries} boundaries × ${told[0]?.faults} faults = ${cases} cases that apply, violations ${violations}`,
  );
});
