import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { kindOf } from '../../infra/admin/migrate-rows.ts';
import type { RowShape } from '../../shared/runtime/table/table.ts';
import { newKiosk, type Story } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';

/**
 * Rows stored by a release at certain moments of its test stories, together with the state outside the table: phones,
 * queues and what clients know. Rows written by a published release must never be edited, because a later release
 * cannot have written them.
 */

export const Row = z.looseObject({ pk: z.string(), sk: z.string() });
export type Row = z.infer<typeof Row>;

const Moment = z.object({
  /** The story's name. */
  story: z.string(),
  /** True once the story's clients have acted. */
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
  /** The part to which each function belongs, '' for the stage's own stack. 0.2.0 did not record this. */
  parts: z.optional(z.record(z.string(), z.string())),
});
export type Fixture = z.infer<typeof Fixture>;

export const fixturePath = (version: string) => new URL(`../fixtures/rows-${version}.json`, import.meta.url);

/** Returns the newest fixture, written by the previous release, or by this release shortly before its publication. */
export function newestFixture(): Fixture {
  const versions = globSync('test/fixtures/rows-*.json').map((file) => file.replace(/^.*rows-|\.json$/g, ''));
  const [newest] = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (newest === undefined) throw new Error('No release has written its rows: node test/upgrade/write-fixture.ts');
  return readFixture(newest);
}

/** Returns true if a version has been published, in which case its rows must not be edited. */
export function isReleased(version: string): boolean {
  return readFileSync('CHANGELOG.md', 'utf8').includes(`## [${version}]`);
}

function readFixture(version: string): Fixture {
  return Fixture.parse(JSON.parse(readFileSync(fixturePath(version), 'utf8').replaceAll('$_', '_')));
}

/**
 * Returns a fixture as text. Keys are altered, because scanners of public repositories would mistake a simulated shop's
 * keys for real ones.
 */
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

/**
 * Recreates the service at a moment of a story, with rows written by an earlier release. `stored` converts the
 * fixture's rows to the rows in the table.
 */
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

/** Returns the example that a row provides: its kind and the fields that distinguish its states. */
export function exampleOf(row: Row): string {
  const { state, reason, disabled_reason } = row;
  const kind = kindOf(row) ?? `unknown: ${row.pk} / ${row.sk}`;
  return [kind, state, kind === 'receipt' ? reason : undefined, disabled_reason]
    .filter((one) => one !== undefined)
    .join(', ');
}
