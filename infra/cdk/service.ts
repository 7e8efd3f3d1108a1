import { type App, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { manifest, queues } from '../../functions/manifest.ts';
import { completeRows, consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import type { Queue } from '../../shared/runtime/triggers/row.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import { bundleFunctions, createFunction, isWorker } from './function.ts';
import { idOf } from './names.ts';
import { createDeadLetters, createQueue, feedFromQueue, queueNamed, type ServiceQueue } from './queues.ts';
import { callEvery } from './schedule.ts';
import type { Settings } from './settings.ts';
import { createTable, feedFromStream } from './table.ts';

/** The whole service of one stage: a table, the queues, an API, and a function for each row of the manifest. */
export class Service extends Stack {
  constructor(app: App, settings: Settings) {
    super(app, settings.name, {
      description: `Momo Kiosk, stage ${settings.stage}: mobile-money checkout and SMS from an ordinary number`,
      terminationProtection: settings.keepsData,
      tags: { service: 'momo-kiosk', stage: settings.stage },
    });
    const alarms = new Alarms(this, settings);
    const table = createTable(this, settings);
    const gatewayAccounts = createGatewayAccounts(this, settings);
    const api = new Api(this, settings);
    alarms.onServerErrors(api.metrics.serverErrors);
    alarms.onSlowAnswers(api.metrics.slowestLatency);
    alarms.onTableThrottles(table);

    const serviceQueues = new Map<string, ServiceQueue>();
    for (const [name, rules] of Object.entries<Queue>(queues)) {
      const consumer = consumerOf(manifest, name);
      const queue = createQueue(this, settings, name, rules, consumer);
      serviceQueues.set(name, queue);
      alarms.onDeadLetters(name, queue.deadLetters, consumer);
    }

    const parts = { table, gatewayAccounts, queues: serviceQueues, baseUrl: api.baseUrl };
    const onStream = new Map<string, LambdaFunction>();
    const codeOf = bundleFunctions(this, manifest);
    for (const [name, row] of completeRows(manifest)) {
      const fn = createFunction(this, settings, name, row, codeOf(name), parts);
      alarms.onFailures(name, fn, row);
      if (isWorker(row)) alarms.onNearTimeout(name, fn, row);
      switch (row.on) {
        case 'http':
        case 'default':
          api.route(fn, row);
          break;
        case 'queue':
          feedFromQueue(queueNamed(row.queue, serviceQueues), fn, row, settings);
          break;
        case 'stream': {
          // Two weeks, SQS's maximum: the letters only name records, which the stream itself keeps for a day.
          const deadLetters = createDeadLetters(this, settings, idOf(name), 14);
          feedFromStream(table, fn, row, deadLetters);
          alarms.onDeadLetters(name, deadLetters, row);
          alarms.onStreamAge(name, fn, row);
          onStream.set(name, fn);
          break;
        }
        case 'schedule':
          callEvery(fn, row);
          break;
        default:
          row satisfies never;
      }
    }

    createBudget(this, settings);
    createDashboard(this, settings, { alarms, api, table, queues: serviceQueues, onStream });

    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'GatewayAccountsSecretName', { value: `${settings.name}/gateways` });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }
}

/**
 * The accounts at the gateways, which the operator fills in. CloudFormation writes the value only when it changes here, so
 * this empty object must stay as it is: any other would replace the operator's at the next deployment.
 */
function createGatewayAccounts(scope: Construct, settings: Settings): Secret {
  const secret = new Secret(scope, 'GatewayAccounts', {
    secretName: `${settings.name}/gateways`,
    description: 'The accounts at the SMS gateways, as one JSON object',
    secretObjectValue: {},
    // Kept, except where the stack's first deployment fails: still empty, it would only block its name for the next try.
    removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The passwords are accounts at gateways that have no API to change one: the operator rotates them by hand.',
  });
  return secret;
}
