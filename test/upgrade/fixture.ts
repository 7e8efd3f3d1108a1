import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { kindOf } from '../../infra/admin/migrate-rows.ts';
import type { RowShape } from '../../shared/runtime/table/table.ts';
import { newKiosk, type Story } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';

/*
 * The rows that a release stored, at moments of the stories that its tests tell, with what there was around the table: phones, queues, and
 * what clients know. The rows of a release that is out are never edited: no later release can have written them.
 */

export const Row = z.looseObject({ pk: z.string(), sk: z.string() });
export type Row = z.infer<typeof Row>;

const Moment = z.object({
  /** Whose story. */
  story: z.string(),
  /** Whether it has begun: what its clients do is done. */
  has_begun: z.boolean(),
  /** Which of the rows there are, by their places in the list of all. */
  rows: z.array(z.number()),
  surroundings: z.string(),
});
export type Moment = z.infer<typeof Moment>;

export const Fixture = z.object({
  version: z.string(),
  rows: z.array(Row),
  moments: z.array(Moment),
  /** The part that each function was in, '' for the stage's own stack. 0.2.0 did not say it. */
  parts: z.optional(z.record(z.string(), z.string())),
});
export type Fixture = z.infer<typeof Fixture>;

export const fixturePath = (version: string) => new URL(`../fixtures/rows-${version}.json`, import.meta.url);

/** The newest: that of the release before, or of this one shortly before it is out. */
export function newestFixture(): Fixture {
  const versions = globSync('test/fixtures/rows-*.json').map((file) => file.replace(/^.*rows-|\.json$/g, ''));
  const [newest] = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (newest === undefined) throw new Error('No release has written its rows: node test/upgrade/write-fixture.ts');
  return readFixture(newest);
}

/** Whether a version is out: its rows are never edited. */
export function isReleased(version: string): boolean {
  return readFileSync('CHANGELOG.md', 'utf8').includes(`## [${version}]`);
}

function readFixture(version: string): Fixture {
  return Fixture.parse(JSON.parse(readFileSync(fixturePath(version), 'utf8').replaceAll('$_', '_')));
}

/** The same as text. Scanners of public repositories would take the keys of a simulated shop for real ones. */
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

/** The service at a moment of a story, with rows of a release before; `stored` makes of the fixture's what is to be in the table. */
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

/** What a row is an example of: its kind, with whatever tells its states apart. */
export function exampleOf(row: Row): string {
  const { state, reason, disabled_reason } = row;
  const kind = kindOf(row) ?? `unknown: ${row.pk} / ${row.sk}`;
  return [kind, state, kind === 'receipt' ? reason : undefined, disabled_reason]
    .filter((one) => one !== undefined)
    .join(', ');
}
