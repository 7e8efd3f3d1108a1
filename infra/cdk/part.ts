import { type App, Stack } from 'aws-cdk-lib';
import { type Part, parts } from '../../functions/manifest.ts';
import { partHolding, partStackName } from '../../shared/runtime/stage/names.ts';
import type { Settings } from './settings.ts';

export function partsOf({ dashboard }: Pick<Settings, 'dashboard'>): Part[] {
  return parts.map(({ name }) => name).filter((name) => name !== 'dashboard' || dashboard);
}

export function partOf(functionName: string): Part | undefined {
  return partHolding<(typeof parts)[number]>(parts, functionName)?.name;
}

/** Creates a stack for an area of the API or dashboard, because CloudFormation allows 500 resources per stack. */
export function createPart(app: App, settings: Settings, part: Part): Stack {
  return new Stack(app, partStackName(settings.name, part), {
    description: `Momo Kiosk, stage ${settings.stage}: ${part}`,
    terminationProtection: settings.keepsData,
    tags: { service: 'momo-kiosk', stage: settings.stage },
  });
}
