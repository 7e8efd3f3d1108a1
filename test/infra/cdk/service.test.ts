import { expect, test } from 'vitest';
import { manifest, parts } from '../../../functions/manifest.ts';
import { partOf } from '../../../infra/cdk/part.ts';
import { release } from '../../../infra/release.ts';
import { idOf } from '../../../shared/runtime/stage/names.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const prod = synthesise({ stage: 'prod' });

test('every name starts with the stage’s name', () => {
  const stacks = [synthesise({ alarms: 'on' }), prod];
  for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::SNS::Topic']) {
    const [inDev, inProd] = stacks.map((stack) => stack.all(type).map((resource) => stack.nameOf(resource)));
    expect(inDev?.every((name) => /^momo-kiosk-dev\b/.test(name))).toBe(true);
    expect(inProd).toEqual(inDev?.map((name) => name.replace('momo-kiosk-dev', 'momo-kiosk-prod')));
  }
});

test('the outputs are the values that an operator needs first', () => {
  expect(prod.outputs).toEqual({
    ApiUrl: 'momo-kiosk-prod.ApiEndpoint',
    TableName: 'momo-kiosk-prod',
    Release: release,
    GatewayAccountsSecretName: 'momo-kiosk-prod/gateways',
    AlarmTopicArn: 'momo-kiosk-prod-alarms',
  });
});

test('deployments never overwrite the gateway accounts', () => {
  expect(prod.the('AWS::SecretsManager::Secret', 'momo-kiosk-prod/gateways').Properties.SecretString).toBe('{}');
});

test('the gateway accounts survive the deletion of the prod stack', () => {
  expect(prod.the('AWS::SecretsManager::Secret', 'momo-kiosk-prod/gateways').DeletionPolicy).toBe(
    'RetainExceptOnCreate',
  );
  expect(dev.the('AWS::SecretsManager::Secret', 'momo-kiosk-dev/gateways').DeletionPolicy).toBe('Delete');
});

test('deleting a prod stack needs more than one step', () => {
  expect(prod.isProtected).toBe(true);
  expect(dev.isProtected).toBe(false);
});

test('each smaller stack contains its folders’ functions', () => {
  const holdsOf = Object.fromEntries(parts.map(({ name, holds }) => [`momo-kiosk-prod-${name}`, holds]));
  for (const { name, functions } of prod.stacks) {
    const holds = holdsOf[name] ?? Object.keys(manifest).filter((one) => !partOf(one));
    const isHeld = (id: string) => holds.some((place) => id.startsWith(`momo-kiosk-prod-${idOf(place)}`));
    expect(functions.filter((id) => !isHeld(id))).toEqual([]);
    for (const place of holds) expect(functions).toContainEqual(expect.stringContaining(`prod-${idOf(place)}`));
  }
  expect(prod.stacks.flatMap(({ functions }) => functions)).toHaveLength(Object.keys(manifest).length);
});

test('stacks share only the API’s id and URL', () => {
  for (const { name, template } of prod.stacks) {
    const text = JSON.stringify(template);
    expect(text.match(/"Fn::(GetStackOutput|ImportValue)"/g) ?? [], name).toEqual([]);
    const read = [...text.matchAll(/"Type":"AWS::SSM::Parameter::Value<String>","Default":"(\/momo[^"]+)"/g)];
    expect(
      read.map(([, parameter]) => parameter),
      name,
    ).toEqual(name === 'momo-kiosk-prod' ? [] : ['/momo-kiosk-prod/api-id', '/momo-kiosk-prod/api-url']);
  }
});

test('the stage’s stack contains everything that a payment needs', () => {
  const paths = Object.entries<Row>(manifest).flatMap(([name, row]) =>
    row.on === 'http' && !partOf(name) ? [row.path] : [],
  );
  for (const start of ['/checkout/', '/c/', '/pay/', '/r/', '/callback/', '/api/v1/transaction/'])
    expect(
      paths.filter((path) => path.startsWith(start)),
      start,
    ).not.toEqual([]);
  const elsewhere = Object.entries<Row>(manifest).filter(([name]) => partOf(name));
  expect(elsewhere.filter(([, row]) => row.on === 'http' && !row.key).map(([name]) => name)).toEqual([]);
});

test('resources of a failed first deployment are deleted or adopted', () => {
  const named = prod.types
    .flatMap((type) => prod.all(type))
    .filter((resource) => !['Delete', undefined].includes(resource.DeletionPolicy));
  expect(named.map((resource) => `${resource.Type} ${resource.DeletionPolicy}`).sort()).toEqual([
    // The table also has deletion protection, so it survives a failed first deployment.
    'AWS::DynamoDB::Table Retain',
    ...Array.from({ length: 4 }, () => 'AWS::Logs::LogGroup RetainExceptOnCreate'),
    'AWS::SecretsManager::Secret RetainExceptOnCreate',
  ]);
});
