import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { kindOf } from '../../infra/admin/migrate-rows.ts';
import type { RowShape } from '../../shared/runtime/table/table.ts';
import { newKiosk, type Story } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';

/**
 * Rows that a release stored during its test stories, and the state of phones, queues and clients. Rows of a published
 * release must never be edited.
 */

export const Row = z.looseObject({ pk: z.string(), sk: z.string() });
export type Row = z.infer<typeof Row>;

const Moment = z.object({
  /** The story's name. */
  story: z.string(),
  /** True after the story's clients have acted. */
  has_begun: z.boolean(),
  /** Indexes into the fixture's list of rows. */
  rows: z.array(z.number()),
  surroundings: z.string(),
});
export type Moment = z.infer<typeof Moment>;

export const Fixture = z.object({
  version: z.string(),
  rows: z.array(Row),
  moments: z.array(Moment),
  /** Each function's stack, or '' for the stage's main stack. Not recorded by 0.2.0. */
  parts: z.optional(z.record(z.string(), z.string())),
});
export type Fixture = z.infer<typeof Fixture>;

export const fixturePath = (version: string) => new URL(`../fixtures/rows-${version}.json`, import.meta.url);

/** Returns the newest fixture. */
export function newestFixture(): Fixture {
  const versions = globSync('test/fixtures/rows-*.json').map((file) => file.replace(/^.*rows-|\.json$/g, ''));
  const [newest] = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (newest === undefined) throw new Error('No release has written its rows: node test/upgrade/write-fixture.ts');
  return readFixture(newest);
}

/** Returns true if a version is published, so its rows must not be edited. */
export function isReleased(version: string): boolean {
  return readFileSync('CHANGELOG.md', 'utf8').includes(`## [${version}]`);
}

function readFixture(version: string): Fixture {
  return Fixture.parse(JSON.parse(readFileSync(fixturePath(version), 'utf8').replaceAll('$_', '_')));
}

/** Returns a fixture as text. Test keys are altered, because secret scanners would report them. */
export function fixtureText({ version, rows, moments, parts }: Required<Fixture>): string {
  const lines = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).join(',\n');
  const text = `{"version":"${version}","parts":${JSON.stringify(parts)},"rows":[\n${lines(rows)}\n],"moments":[\n${lines(moments)}\n]}\n`;
  return text.replaceAll(/(?<=\b(?:sk|whsec))_/g, '$_');
}

function rowsOf({ rows }: Fixture, moment: Moment): Row[] {
  return moment.rows.map((place) => {
    const row = rows[place];
    if (!row) throw new Error(`The fixture has no row ${place}`);
    return row;
  });
}

/** Recreates the service at a moment of a story. `stored` converts the fixture's rows for the table. */
export async function atMoment(
  fixture: Fixture,
  moment: Moment,
  story: Story,
  { shapes, stored = (row) => row }: { shapes?: readonly RowShape[]; stored?: (row: Row) => object } = {},
): Promise<Kiosk> {
  const kiosk = newKiosk(story, 2, shapes);
  await kiosk.goOnAt(rowsOf(fixture, moment).map(stored), moment.surroundings);
  return kiosk;
}

/** Returns the example in a row: its kind and the fields that determine its state. */
export function exampleOf(row: Row): string {
  const { state, reason, disabled_reason } = row;
  const kind = kindOf(row) ?? `unknown: ${row.pk} / ${row.sk}`;
  return [kind, state, kind === 'receipt' ? reason : undefined, disabled_reason]
    .filter((one) => one !== undefined)
    .join(', ');
}
