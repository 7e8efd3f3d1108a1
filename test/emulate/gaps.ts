import { ACCOUNT } from './machine.ts';

/**
 * Known gaps in the emulator, each with the observed behaviour, the workaround, and a command that shows the gap. If
 * the command no longer shows it, the run fails and asks to remove the workaround.
 */

export interface Gap {
  readonly name: string;
  readonly seen: string;
  readonly workaround: string;
  readonly probe: string;
  readonly shows: RegExp;
  /** Time of the gap's probe: right after the deployment, before any workaround, or after the journeys. */
  readonly when: 'deployed' | 'told';
}

export const gaps: readonly Gap[] = [
  {
    name: 'CloudFormation leaves out the table’s TTL',
    seen: 'TimeToLiveSpecification of AWS::DynamoDB::Table has no effect',
    workaround: 'the command that `doctor` prints',
    probe: 'aws dynamodb describe-time-to-live --table-name momo-kiosk-$STAGE',
    shows: /"TimeToLiveStatus": "DISABLED"/,
    when: 'deployed',
  },
  {
    name: 'CloudFormation leaves out point-in-time recovery',
    seen: 'PointInTimeRecoverySpecification of AWS::DynamoDB::Table has no effect',
    workaround: 'the command that `doctor` prints',
    probe: 'aws dynamodb describe-continuous-backups --table-name momo-kiosk-$STAGE',
    shows: /"PointInTimeRecoveryStatus": "DISABLED"/,
    when: 'deployed',
  },
  {
    name: 'CloudFormation has no budgets',
    seen: 'a template with AWS::Budgets::Budget is refused: Unrecognized resource types',
    workaround: 'the deployment goes without monthlyBudget (test/emulate/document.ts)',
    probe: `aws cloudformation create-stack --stack-name budget --template-body '${JSON.stringify({
      Resources: {
        Budget: { Type: 'AWS::Budgets::Budget', Properties: { Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY' } } },
      },
    })}' 2>&1`,
    shows: /Unrecognized resource types: \[AWS::Budgets::Budget\]/,
    when: 'deployed',
  },
  {
    name: 'IAM does not receive dynamodb:LeadingKeys',
    seen: 'every read and write of a function is refused while its role has conditions on partition keys',
    workaround: 'the document’s advice for such an account: -c leadingKeys=off',
    probe: `
node -e "fetch('$API/checkout/${'0'.repeat(22)}/status').then((it) => it.text())"
sleep 2
aws logs filter-log-events --log-group-name /aws/lambda/momo-kiosk-$STAGE/customers --query 'events[].message' --output text`,
    shows: /AccessDeniedException.{0,400}not authorized to perform: dynamodb:GetItem/,
    when: 'deployed',
  },
  {
    name: 'IAM asks for sqs:SendMessageBatch',
    seen: 'On AWS, a batch only needs sqs:SendMessage. The emulator refuses it, so no job is queued',
    workaround: 'the roles that send get the right (test/emulate/workarounds.ts)',
    probe: asARoleThatMaySend(
      'aws sqs --endpoint-url $AWS_ENDPOINT_URL send-message-batch --queue-url $QUEUE --entries Id=1,MessageBody=Hello',
    ),
    shows: /not authorized to perform: sqs:SendMessageBatch/,
    when: 'deployed',
  },
  {
    name: 'An event has its cookies in a header',
    seen: 'API Gateway moves cookies to the event’s `cookies`, the only place that functions read, so nobody could sign in',
    workaround: 'the cookies are moved before the function gets its event (test/emulate/preload.cjs)',
    probe: `
node -e "fetch('$API/dashboard', { headers: { cookie: 'tea=hot' } }).then((it) => it.text())"
sleep 2
for AUDIENCE in customers merchants work; do
  aws logs filter-log-events --log-group-name /aws/lambda/momo-kiosk-$STAGE/$AUDIENCE --query 'events[].message' --output text
done`,
    shows: /The cookies of a request were in a header/,
    when: 'deployed',
  },
  {
    name: 'Logs make no metrics',
    seen: 'neither metric filters nor the embedded metric format count anything, so `doctor` finds no denial and no alarm fires',
    workaround: 'none: features that depend on metrics are not tested',
    probe:
      'aws cloudwatch list-metrics --namespace MomoKiosk; aws cloudwatch list-metrics --namespace momo-kiosk-$STAGE',
    shows: /^\s*\{\s*"Metrics": \[\]\s*\}\s*\{\s*"Metrics": \[\]\s*\}\s*$/,
    when: 'told',
  },
];

/** Journeys that fail because of the emulator. The run fails if one of them succeeds or fails in another way. */
export const failingJourneys: readonly { readonly name: string; readonly seen: string; readonly output: RegExp }[] = [
  {
    name: 'a path is decoded before routing, and a body over 6 MB does not reach a function',
    seen: 'Lambda accepts events of any size, so the function answers 413 itself, although API Gateway should',
    output: /413,\s+\[\s+\+ +'status'/,
  },
];

/** Returns a shell script that creates a queue and uses it with a role that has only sqs:SendMessage. */
function asARoleThatMaySend(command: string): string {
  const trust = policy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'sts:AssumeRole' });
  return `
aws iam create-role --role-name probe --assume-role-policy-document '${trust}' > /dev/null
aws iam put-role-policy --role-name probe --policy-name send --policy-document '${policy({ Action: 'sqs:SendMessage', Resource: '*' })}'
QUEUE=$(aws sqs --endpoint-url $AWS_ENDPOINT_URL create-queue --queue-name probe --query QueueUrl --output text)
set -- $(aws sts assume-role --role-arn arn:aws:iam::${ACCOUNT}:role/probe --role-session-name probe --query 'Credentials.[AccessKeyId,SecretAccessKey,SessionToken]' --output text)
AWS_ACCESS_KEY_ID=$1 AWS_SECRET_ACCESS_KEY=$2 AWS_SESSION_TOKEN=$3 ${command} 2>&1
aws sqs --endpoint-url $AWS_ENDPOINT_URL delete-queue --queue-url $QUEUE`;
}

function policy(statement: object): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });
}
