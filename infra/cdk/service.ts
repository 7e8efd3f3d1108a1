import { type App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { manifest, type Part, queues } from '../../functions/manifest.ts';
import { rights } from '../../functions/rights.ts';
import { gatewayAccountsName, idOf } from '../../shared/runtime/stage/names.ts';
import { completeRows, consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import type { Queue } from '../../shared/runtime/triggers/row.ts';
import { release } from '../release.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import { bundleFunctions, createFunction, type Uses, usesOfPart } from './function.ts';
import { createLogs, keptAsData } from './logs.ts';
import { createPart, partOf, partsOf } from './part.ts';
import { createDeadLetters, createQueue, feedFromQueue, queueNamed, type ServiceQueue } from './queues.ts';
import { callEvery } from './schedule.ts';
import type { Settings } from './settings.ts';
import { createTable, feedFromStream, type OnStream } from './table.ts';

export class Service extends Stack {
  readonly parts: ReadonlyMap<Part, Stack>;

  constructor(app: App, settings: Settings) {
    super(app, settings.name, {
      description: `Momo Kiosk, stage ${settings.stage}: mobile-money checkout and SMS from an ordinary number`,
      terminationProtection: settings.keepsData,
      tags: { service: 'momo-kiosk', stage: settings.stage },
    });
    const table = createTable(this, settings);
    createGatewayAccounts(this, settings);
    const logs = createLogs(this, settings);
    const api = new Api(this, settings);

    const serviceQueues = new Map<string, ServiceQueue>();
    for (const [name, rules] of Object.entries<Queue>(queues)) {
      serviceQueues.set(name, createQueue(this, settings, name, { rules, consumer: consumerOf(manifest, name) }));
    }

    const onStream = new Map<string, OnStream>();
    this.parts = new Map(partsOf(settings).map((part) => [part, createPart(app, settings, part)]));
    const uses = new Map<Stack, Uses>([[this, { table, logs, queues: serviceQueues, baseUrl: api.baseUrl(this) }]]);
    for (const part of this.parts.values()) {
      part.addStackDependency(this);
      uses.set(part, usesOfPart(part, settings, api.baseUrl(part)));
    }
    const codeOf = bundleFunctions([...uses.keys()], manifest);
    for (const [name, row] of completeRows(manifest, rights)) {
      const part = partOf(name);
      const stack = part ? this.parts.get(part) : this;
      const used = stack && uses.get(stack);
      if (!used) continue;
      const fn = createFunction(stack, settings, { name, row, code: codeOf(name) }, used);
      switch (row.on) {
        case 'http':
        case 'default':
          api.route(fn, row);
          break;
        case 'area':
          api.area(fn, row);
          break;
        case 'queue':
          feedFromQueue(queueNamed(row.queue, serviceQueues), fn, row, settings);
          break;
        case 'stream': {
          // SQS's maximum. A dead letter only refers to stream records, which are kept for a day.
          const deadLetters = createDeadLetters(this, settings, idOf(name), 14);
          feedFromStream(table, { fn, deadLetters }, row, settings);
          onStream.set(name, { fn, deadLetters });
          break;
        }
        case 'schedule':
          callEvery(fn, row, `${settings.name}-${idOf(name)}`);
          break;
        case 'call':
          break;
        default:
          row satisfies never;
      }
    }

    const watched = { logs, api, table, queues: serviceQueues, onStream };
    const alarms = settings.alarms ? new Alarms(this, settings, watched) : undefined;
    createDashboard(this, settings, watched, alarms?.all);
    createBudget(this, settings);

    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl(this) });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'GatewayAccountsSecretName', { value: gatewayAccountsName(settings.name) });
    new CfnOutput(this, 'Release', { value: release });
    // Read by later deployments and by `doctor`.
    if (!settings.leadingKeys) new CfnOutput(this, 'LeadingKeys', { value: 'off' });
    if (alarms) new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }
}

/**
 * Creates the secret in which the operator stores the gateway accounts. Never change this empty object: CloudFormation
 * would overwrite the operator's accounts.
 */
function createGatewayAccounts(scope: Construct, settings: Settings): void {
  const secret = new Secret(scope, 'GatewayAccounts', {
    secretName: gatewayAccountsName(settings.name),
    description: 'The accounts at the SMS gateways, as one JSON object',
    secretObjectValue: {},
    removalPolicy: keptAsData(settings),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'The secret holds passwords for gateways that have no API to change a password, so the operator rotates them by hand.',
  });
}
