import { type App, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { dashboardStackName } from '../../shared/runtime/stage/names.ts';
import type { AreaRow, CallRow, CompleteRow } from '../../shared/runtime/triggers/row.ts';
import type { Api } from './api.ts';
import { createFunction, type Parts } from './function.ts';
import type { Settings } from './settings.ts';

/**
 * The functions of the dashboard, in a stack of its own on the same API: a stage can do without, and CloudFormation takes 500
 * resources a stack.
 */
export class DashboardAreas extends Stack {
  readonly #settings: Settings;

  constructor(app: App, settings: Settings) {
    super(app, dashboardStackName(settings.name), {
      description: `Momo Kiosk, stage ${settings.stage}: the dashboard`,
      terminationProtection: settings.keepsData,
      tags: { service: 'momo-kiosk', stage: settings.stage },
    });
    this.#settings = settings;
  }

  /** An area, or what areas call. */
  add(name: string, row: (AreaRow | CallRow) & CompleteRow, code: Code, parts: Parts, api: Api): void {
    const fn = createFunction(this, this.#settings, name, row, code, parts);
    if (row.on === 'area') api.area(fn, row);
  }
}
