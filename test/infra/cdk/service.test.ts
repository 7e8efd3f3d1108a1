import { expect, test } from 'vitest';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const prod = synthesise({ stage: 'prod' });

test('a stage has names of its own, so that two can share an account', () => {
  const stacks = [synthesise({ alarms: 'on' }), prod];
  for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::SNS::Topic']) {
    const [inDev, inProd] = stacks.map((stack) => stack.all(type).map((resource) => stack.nameOf(resource)));
    expect(inDev?.every((name) => /^momo-kiosk-dev\b/.test(name))).toBe(true);
    expect(inProd).toEqual(inDev?.map((name) => name.replace('momo-kiosk-dev', 'momo-kiosk-prod')));
  }
});

test('the outputs are what an operator needs first', () => {
  expect(prod.outputs).toEqual({
    ApiUrl: 'momo-kiosk-prod.ApiEndpoint',
    TableName: 'momo-kiosk-prod',
    GatewayAccountsSecretName: 'momo-kiosk-prod/gateways',
    AlarmTopicArn: 'momo-kiosk-prod-alarms',
  });
});

test('the gateway accounts begin as an empty object, which no deployment replaces', () => {
  expect(prod.the('AWS::SecretsManager::Secret', 'momo-kiosk-prod/gateways').Properties.SecretString).toBe('{}');
});

test('the gateway accounts outlive the stack in prod and go with it in dev', () => {
  expect(prod.the('AWS::SecretsManager::Secret', 'momo-kiosk-prod/gateways').DeletionPolicy).toBe(
    'RetainExceptOnCreate',
  );
  expect(dev.the('AWS::SecretsManager::Secret', 'momo-kiosk-dev/gateways').DeletionPolicy).toBe('Delete');
});

test('the stack of prod cannot be deleted in one step, that of dev can', () => {
  expect(prod.isProtected).toBe(true);
  expect(dev.isProtected).toBe(false);
});

test('there is room for what comes later: CloudFormation takes 500 resources', () => {
  const everything = synthesise({
    stage: 'prod',
    alarmEmail: 'ops@example.com',
    alarmUrl: 'https://pager.example.com',
    monthlyBudget: '20',
    domain: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f',
    hostedZoneId: 'Z123',
    hostedZoneName: 'example.com',
  });
  const [service = 0, dashboard = 0, ...others] = everything.sizes;
  expect([service <= 400, dashboard <= 200, others]).toEqual([true, true, []]);
  expect(dashboard).toBeGreaterThan(0);
});

test('what has a name and is kept is given back by a first deployment that fails, or adopted by the next', () => {
  const named = prod.types
    .flatMap((type) => prod.all(type))
    .filter((resource) => !['Delete', undefined].includes(resource.DeletionPolicy));
  expect(named.map((resource) => `${resource.Type} ${resource.DeletionPolicy}`).sort()).toEqual([
    // It is protected from deletion too, so that giving it back would fail: `npm run deploy` adopts it.
    'AWS::DynamoDB::Table Retain',
    'AWS::SecretsManager::Secret RetainExceptOnCreate',
  ]);
});
