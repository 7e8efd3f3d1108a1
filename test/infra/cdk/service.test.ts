import { expect, test } from 'vitest';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const prod = synthesise({ stage: 'prod' });

test('a stage has names of its own, so that two can share an account', () => {
  const stacks = [dev, prod];
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
