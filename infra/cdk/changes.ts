import { PassThrough } from 'node:stream';
import { formatDifferences, fullDiff, ResourceImpact, type TemplateDiff } from '@aws-cdk/cloudformation-diff';
import * as z from 'zod';

export interface Changes {
  readonly stack: string;
  readonly isNew: boolean;
  /** Warnings about lost data and wider permissions, one per line. */
  readonly warnings: readonly string[];
  readonly refusals: readonly string[];
  /** The output of `cdk diff`, or resource counts for a new stack. Empty if there are no changes. */
  readonly text: string;
}

const Template = z.record(z.string(), z.unknown());

export function changesOf(stack: string, deployed: string | undefined, made: string): Changes {
  const [before, after] = [deployed ?? '{}', made].map((text) => Template.parse(JSON.parse(text)));
  const difference = fullDiff(before ?? {}, after ?? {});
  const isNew = deployed === undefined;
  const lost = isNew ? [] : lostIn(difference);
  const { additions, removals } = difference.iamChanges.statements;
  const widened = isNew ? [] : additions.flatMap((statement) => widenedBy(statement, removals));
  return {
    stack,
    isNew,
    warnings: [
      ...lost.map(({ what, impact }) => `${stack}: ${what} is ${hows[impact]}.`),
      ...widened.map((right) => `${stack}: ${right}.`),
    ],
    refusals: lost
      .filter(({ type, impact }) => KEPT.has(type) && impact !== ResourceImpact.WILL_ORPHAN)
      .map(({ what, impact }) => `${stack}: ${what} would be ${hows[impact]}.`),
    text: isNew ? contentOf(difference) : difference.isEmpty ? '' : textOf(difference),
  };
}

/** Resources with data or a published address. A release should never delete them. */
const KEPT: ReadonlySet<string> = new Set([
  'AWS::DynamoDB::Table',
  'AWS::SecretsManager::Secret',
  'AWS::ApiGatewayV2::Api',
]);

const hows: Readonly<Partial<Record<ResourceImpact, string>>> = {
  [ResourceImpact.WILL_REPLACE]: 'replaced by a new one',
  [ResourceImpact.MAY_REPLACE]: 'possibly replaced by a new one',
  [ResourceImpact.WILL_DESTROY]: 'deleted',
  [ResourceImpact.WILL_ORPHAN]: 'removed from the stack, but kept',
};

interface Lost {
  readonly type: string;
  readonly what: string;
  readonly impact: ResourceImpact;
}

function lostIn({ resources }: TemplateDiff): Lost[] {
  const lost: Lost[] = [];
  resources.forEachDifference((id, { changeImpact, oldResourceType: type = '' }) => {
    if (hows[changeImpact] !== undefined)
      lost.push({ type, what: `${type.replace('AWS::', '')} ${id}`, impact: changeImpact });
  });
  return lost;
}

type Statement = TemplateDiff['iamChanges']['statements']['additions'][number];

function widenedBy(statement: Statement, removals: readonly Statement[]): string[] {
  const { effect, principal, action, resource } = statement.render();
  const before = removals.filter((one) => {
    const was = one.render();
    return was.principal === principal && was.action === action && was.resource === resource;
  });
  const keys = keysOf(statement);
  const had = new Set(before.flatMap(keysOf));
  const more = keys.filter((key) => !had.has(key));
  const isWider = before.length === 0 || more.length > 0 || (keys.length === 0 && had.size > 0);
  if (effect !== 'Allow' || !isWider) return [];
  return [
    `${onOneLine(principal)} may ${onOneLine(action)} on ${onOneLine(resource)}${more.map((key) => ` ${key}`).join('')}`,
  ];
}

const Condition = z.object({ 'ForAnyValue:StringLike': z.object({ 'dynamodb:LeadingKeys': z.array(z.string()) }) });

function keysOf({ condition }: Statement): string[] {
  return Condition.safeParse(condition).data?.['ForAnyValue:StringLike']['dynamodb:LeadingKeys'] ?? [];
}

function onOneLine(lines: string): string {
  return lines.replace(/(?<!\s)\s*\n\s*/g, ', ').replace(/(?:AWS:)?\$\{([^}]+)\}/g, '$1');
}

/**
 * Counts resources by type, such as `42 Lambda::Function, 1 DynamoDB::Table`. A new stack's full diff would be a
 * thousand lines long.
 */
function contentOf({ resources }: TemplateDiff): string {
  const counts = new Map<string, number>();
  resources.forEachDifference((_, { newResourceType: type = '' }) => {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  });
  return [...counts].map(([type, count]) => `${count} ${type.replace('AWS::', '')}`).join(', ');
}

function textOf(difference: TemplateDiff): string {
  const stream = new PassThrough();
  formatDifferences(stream, difference);
  return String(stream.read() ?? '');
}
