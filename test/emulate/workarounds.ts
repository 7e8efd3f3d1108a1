import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { AwsClient } from 'aws4fetch';
import { manifest } from '../../functions/manifest.ts';
import { environment } from '../../shared/runtime/outside/environment.ts';
import { idOf, stackName } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import { ACCOUNT } from './machine.ts';

/**
 * Adds a policy to roles for which the emulator's IAM needs a different permission from AWS's (test/emulate/gaps.ts):
 * sending a batch to the queues to which a function sends.
 */
const stack = stackName(environment('STAGE'));
const lambda = new LambdaClient();
const iam = new AwsClient({
  accessKeyId: environment('AWS_ACCESS_KEY_ID'),
  secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
  region: environment('AWS_REGION'),
  service: 'iam',
});
for (const [name, { sendsTo = [] }] of Object.entries<Row>(manifest)) {
  const statements = [
    ...sendsTo.map((queue) =>
      allow('sqs:SendMessageBatch', `arn:aws:sqs:${environment('AWS_REGION')}:${ACCOUNT}:${stack}-${queue}`),
    ),
  ];
  if (statements.length > 0) await addToRole(name, { Version: '2012-10-17', Statement: statements });
}

function allow(Action: string, Resource: string) {
  return { Effect: 'Allow', Action, Resource };
}

async function addToRole(name: string, policy: object): Promise<void> {
  const { Role } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: `${stack}-${idOf(name)}` }));
  const response = await iam.fetch(environment('AWS_ENDPOINT_URL'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      Action: 'PutRolePolicy',
      Version: '2010-05-08',
      RoleName: `${Role?.split('/').at(-1)}`,
      PolicyName: 'emulator',
      PolicyDocument: JSON.stringify(policy),
    }).toString(),
  });
  if (!response.ok) throw new Error(`The role of ${name}: ${response.status} ${await response.text()}`);
}
