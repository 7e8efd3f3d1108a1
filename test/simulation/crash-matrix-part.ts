import { afterAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { reportFigure } from '../support/figures.ts';
import { isWhole } from '../support/slice.ts';
import { crashStory, type Figures, stories } from './crash-matrix.ts';

/** The matrix is split into several test files, which run concurrently. */
const PARTS = 3;
/** The longest story took twenty minutes on a busy machine. */
const WHOLE_TIMEOUT_MS = HOUR_MS;

/** Defines the tests of every third story, starting with number `part`. */
export function crashMatrix(part: 1 | 2 | 3): void {
  const told: Figures[] = [];

  describe('a fault at any call', () => {
    test.each(Object.entries(stories).filter((_, n) => n % PARTS === part - 1))(
      'loses and duplicates nothing in the story %s',
      async (_, story) => {
        const figures = await crashStory(story);
        told.push(figures);
        if (isWhole) expect(figures.cases).toBeGreaterThan(figures.boundaries);
        expect(figures.boundaries).toBeGreaterThan(0);
        expect(figures.violations).toEqual([]);
      },
      isWhole ? WHOLE_TIMEOUT_MS : undefined,
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
      `crash matrix, part ${part} of ${PARTS}: ${told.length} stories, ${boundaries} boundaries × ${told[0]?.faults} faults = ${cases} cases that apply, violations ${violations}`,
    );
  });
}
