import { type App, Stack } from 'aws-cdk-lib';
import { type Part, parts } from '../../functions/manifest.ts';
import { partHolding, partStackName } from '../../shared/runtime/stage/names.ts';
import type { Settings } from './settings.ts';

/** The parts that a stage has, each a stack beside the stage's own. */
export function partsOf({ dashboard }: Pick<Settings, 'dashboard'>): Part[] {
  return parts.map(({ name }) => name).filter((name) => name !== 'dashboard' || dashboard);
}

/** The part that a function is in; undefined where it is in the stage's own stack. */
export function partOf(functionName: string): Part | undefined {
  return partHolding<(typeof parts)[number]>(parts, functionName)?.name;
}

/** An area of the API or the dashboard, in a stack of its own with the API and the table of the stage's: CloudFormation takes 500 resources a stack. */
export function createPart(app: App, settings: Settings, part: Part): Stack {
  return new Stack(app, partStackName(settings.name, part), {
    description: `Momo Kiosk, stage ${settings.stage}: ${part}`,
    terminationProtection: settings.keepsData,
    tags: { service: 'momo-kiosk', stage: settings.stage },
  });
}
