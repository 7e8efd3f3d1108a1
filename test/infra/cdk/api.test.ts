import { describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { partOf } from '../../../infra/cdk/part.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { synthesise, type Template } from './synthesise.ts';

const dev = synthesise();
const withDomain = { domain: 'pay.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f' };

test('the API has exactly the manifest’s routes', () => {
  const expected = Object.entries<Row>(manifest).flatMap(([name, row]) => {
    const to = `momo-kiosk-dev-${name.replaceAll('/', '-')}`;
    if (row.on === 'http') {
      const methods = row.method === 'GET' ? ['GET', 'HEAD'] : [row.method];
      return methods.map((method) => `${method} ${row.path} -> ${to}`);
    }
    if (row.on === 'area') {
      return ['GET', 'HEAD', 'POST'].flatMap((method) =>
        [row.path, `${row.path}/{proxy+}`].map((path) => `${method} ${path} -> ${to}`),
      );
    }
    return row.on === 'default' ? [`$default -> ${to}`] : [];
  });
  expect(routesOf(dev)).toEqual(expected.sort());
});

test('functions receive events in payload format 2.0', () => {
  const formats = dev.all('AWS::ApiGatewayV2::Integration').map(({ Properties }) => Properties.PayloadFormatVersion);
  expect(new Set(formats)).toEqual(new Set(['2.0']));
});

test('API Gateway may invoke each function only for this API', () => {
  const permissions = dev
    .all('AWS::Lambda::Permission')
    .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com');
  const called = permissions.map(({ Properties }) => dev.text(Properties.FunctionName));
  expect(called.sort()).toEqual([...new Set(routesOf(dev).map((route) => route.split(' -> ')[1]))].sort());
  for (const { Properties } of permissions) expect(dev.text(Properties.SourceArn)).toContain(':momo-kiosk-dev/');
});

describe('the API’s stage', () => {
  /** Exclude routes of other stacks, which use the default limit. */
  const ownRoutes = Object.entries<Row>(manifest).flatMap(([name, row]) => {
    if (partOf(name)) return [];
    if (row.on === 'default') return ['$default'];
    if (row.on !== 'http') return [];
    return (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]).map((method) => `${method} ${row.path}`);
  });
  const [stage] = dev.all('AWS::ApiGatewayV2::Stage');

  test('is not part of the path', () => {
    expect(stage?.Properties.StageName).toBe('$default');
  });

  test('has a separate rate limit for each route', () => {
    const throttles = stage?.Properties.RouteSettings;
    expect(Object.keys(throttles).sort()).toEqual(ownRoutes.sort());
    expect(throttles).toMatchObject({
      'POST /api/v1/transaction/initialize': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 300 },
      'POST /callback/smsgate/{gateway}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 300 },
      'GET /checkout/{access_code}': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 300 },
      'POST /checkout/{access_code}/claim': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20 },
      'GET /docs': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 60 },
      $default: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 60 },
    });
  });

  test('has a default limit that equals its highest route limit', () => {
    const { DefaultRouteSettings, RouteSettings } = stage?.Properties ?? {};
    const rates = Object.values<{ ThrottlingRateLimit: number }>(RouteSettings);
    expect(DefaultRouteSettings.ThrottlingRateLimit).toBe(
      Math.max(...rates.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)),
    );
  });

  test('is created after all routes', () => {
    const before = [stage?.DependsOn ?? []].flat().map((id) => dev.resource({ Ref: id }).Properties.RouteKey);
    expect(before).toEqual(expect.arrayContaining(ownRoutes));
  });

  test('logs no path, query, header or body', () => {
    const format: unknown = JSON.parse(stage?.Properties.AccessLogSettings.Format);
    expect(format).toEqual({
      time: '$context.requestTime',
      request_id: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
      response_ms: '$context.responseLatency',
      integration_ms: '$context.integrationLatency',
      function_status: '$context.integration.status',
      ip: '$context.identity.sourceIp',
      error: '$context.error.message',
      integration_error: '$context.integrationErrorMessage',
    });
    expect(dev.text(stage?.Properties.AccessLogSettings.DestinationArn)).toBe('/aws/vendedlogs/momo-kiosk-dev/api');
  });
});

test('the API sends no CORS headers', () => {
  expect(dev.the('AWS::ApiGatewayV2::Api', 'momo-kiosk-dev').Properties).not.toHaveProperty('CorsConfiguration');
});

test('functions use the AWS URL if the stage has no domain', () => {
  expect(baseUrlsOf(dev)).toEqual(['momo-kiosk-dev.ApiEndpoint']);
  expect(dev.outputs.ApiUrl).toBe('momo-kiosk-dev.ApiEndpoint');
});

describe('a stage with a domain', () => {
  const stack = synthesise({ stage: 'prod', ...withDomain });

  test('uses the domain in functions and outputs', () => {
    expect(baseUrlsOf(stack)).toEqual(['https://pay.example.com']);
    expect(stack.outputs.ApiUrl).toBe('https://pay.example.com');
    const [domain] = stack.all('AWS::ApiGatewayV2::DomainName');
    const DomainNameConfigurations = [{ CertificateArn: withDomain.certificateArn }];
    expect(domain?.Properties).toMatchObject({ DomainName: 'pay.example.com', DomainNameConfigurations });
    const [mapping] = stack.all('AWS::ApiGatewayV2::ApiMapping');
    expect(mapping?.Properties.Stage).toBe('$default');
  });

  test('still accepts links with its AWS URL', () => {
    const { Properties } = stack.the('AWS::ApiGatewayV2::Api', 'momo-kiosk-prod');
    expect(Properties.DisableExecuteApiEndpoint ?? false).toBe(false);
  });

  test('outputs the target for a DNS record', () => {
    expect(stack.outputs).toHaveProperty('DomainTarget');
    expect(stack.all('AWS::Route53::RecordSet')).toEqual([]);
    const inZone = synthesise({ ...withDomain, hostedZoneId: 'Z123', hostedZoneName: 'example.com' });
    expect(inZone.outputs).not.toHaveProperty('DomainTarget');
    const [record] = inZone.all('AWS::Route53::RecordSet');
    expect(record?.Properties).toMatchObject({ Name: 'pay.example.com.', Type: 'A', HostedZoneId: 'Z123' });
  });
});

function routesOf(stack: Template): string[] {
  return stack
    .all('AWS::ApiGatewayV2::Route')
    .map(({ Properties }) => {
      const [, integration] = Properties.Target['Fn::Join'][1];
      return `${Properties.RouteKey} -> ${stack.text(stack.resource(integration).Properties.IntegrationUri)}`;
    })
    .sort();
}

function baseUrlsOf(stack: Template): string[] {
  const functions = stack.all('AWS::Lambda::Function');
  return [...new Set(functions.map(({ Properties }) => stack.text(Properties.Environment.Variables.BASE_URL)))];
}
