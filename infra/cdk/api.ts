import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type HttpRouteProps,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { accessLogName } from '../../shared/runtime/stage/names.ts';
import {
  type AreaRow,
  type DefaultRow,
  type HttpRow,
  keyKindsOf,
  type ThrottleGroup,
} from '../../shared/runtime/triggers/row.ts';
import { keptAsData } from './logs.ts';
import type { Domain, Settings } from './settings.ts';

type ApiMetrics = Readonly<Record<'requests' | 'clientErrors' | 'serverErrors' | 'latency' | 'slowestLatency', Metric>>;

export class Api extends Construct {
  readonly metrics: ApiMetrics;
  readonly accessLog: LogGroup;
  readonly #name: string;
  readonly #domain: Domain | undefined;
  readonly #apis = new Map<Stack, IHttpApi>();
  readonly #stage: CfnStage;
  readonly #throttles: Settings['throttles'];
  /** Spelled as in CloudFormation: CDK passes the properties through unchanged. */
  readonly #routeSettings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> = {};

  constructor(scope: Construct, settings: Settings) {
    super(scope, 'Api');
    const { domain } = settings;
    // The API's own URL stays reachable, because earlier checkout links and phones still use it. CORS is off: a
    // merchant's key must never be used in a browser.
    const httpApi = new HttpApi(this, 'Http', { apiName: settings.name, createDefaultStage: false });
    this.#apis.set(Stack.of(this), httpApi);
    new StringParameter(this, 'Id', { parameterName: parameterName(settings.name, 'id'), stringValue: httpApi.apiId });
    new StringParameter(this, 'Url', {
      parameterName: parameterName(settings.name, 'url'),
      stringValue: httpApi.apiEndpoint,
    });
    this.#name = settings.name;
    this.#domain = domain;
    this.accessLog = accessLog(this, settings);
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      // Every route has its own limit. AWS does not document whether this default applies per route or in total, so
      // this default equals the highest limit.
      throttle: { rateLimit: settings.throttles.pages.ratePerSecond, burstLimit: settings.throttles.pages.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: accessLogFormat,
      },
      ...(domain && { domainMapping: { domainName: createDomain(this, domain) } }),
    });
    this.#throttles = settings.throttles;
    this.#stage = cfnStageOf(stage);
    this.#stage.routeSettings = this.#routeSettings;
    const period = Duration.minutes(5);
    this.metrics = {
      requests: stage.metricCount({ period }),
      clientErrors: stage.metricClientError({ period }),
      serverErrors: stage.metricServerError({ period }),
      latency: stage.metricLatency({ period, statistic: Stats.p(50) }),
      slowestLatency: stage.metricLatency({ period, statistic: Stats.p(99) }),
    };
  }

  /** Returns the service's public URL as seen from `stack`, without a trailing slash. */
  baseUrl(stack: Stack): string {
    return this.#domain ? `https://${this.#domain.name}` : this.#in(stack).apiEndpoint;
  }

  /** Imports the API into one of the stage's other stacks. On deployment, that stack looks up the API's id and URL. */
  #in(stack: Stack): IHttpApi {
    const known = this.#apis.get(stack);
    if (known) return known;
    const read = (what: 'id' | 'url') =>
      StringParameter.valueForStringParameter(stack, parameterName(this.#name, what));
    const api = HttpApi.fromHttpApiAttributes(stack, 'Api', { httpApiId: read('id'), apiEndpoint: read('url') });
    this.#apis.set(stack, api);
    return api;
  }

  route(fn: LambdaFunction, row: HttpRow | DefaultRow): void {
    const integration = integrationOf(fn);
    const routeKey = row.on === 'http' ? HttpRouteKey.with(row.path, HttpMethod[row.method]) : HttpRouteKey.DEFAULT;
    const routes = [this.#route(fn, 'Route', { routeKey, integration }, row.throttledWith)];
    if (row.on === 'http' && row.method === 'GET') {
      const head = { routeKey: HttpRouteKey.with(row.path, HttpMethod.HEAD), integration };
      routes.push(this.#route(fn, 'Head', head, row.throttledWith));
    }
    for (const route of routes) {
      if (row.on === 'http' && row.key) {
        const reason = `The function checks the ${keyKindsOf(row).join(' or ')} key itself: an authorizer could not respond with the API's own envelope.`;
        Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
      } else acknowledgePublic(route, row.publicBecause);
    }
  }

  area(fn: LambdaFunction, row: AreaRow): void {
    const integration = integrationOf(fn);
    for (const [id, path] of [
      ['Page', row.path],
      ['Below', `${row.path}/{proxy+}`],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'POST'] as const) {
        const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
        acknowledgePublic(this.#route(fn, `${id}${method}`, { routeKey, integration }), row.publicBecause);
      }
    }
  }

  /**
   * Adds a route with its group's limit. Routes in other stacks keep the general limit, because the API's stage cannot
   * refer to them.
   */
  #route(
    fn: LambdaFunction,
    id: string,
    props: Pick<HttpRouteProps, 'routeKey' | 'integration'>,
    group: ThrottleGroup = 'merchants',
  ): HttpRoute {
    const route = new HttpRoute(fn, id, { httpApi: this.#in(Stack.of(fn)), ...props });
    if (Stack.of(fn) !== Stack.of(this)) return route;
    const { ratePerSecond, burst } = this.#throttles[group];
    this.#routeSettings[props.routeKey.key] = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
    this.#stage.node.addDependency(route);
    return route;
  }
}

/** Grants API Gateway one permission for all of a function's routes. */
function integrationOf(fn: LambdaFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration('Integration', fn, { scopePermissionToRoute: false });
}

function parameterName(stack: string, what: 'id' | 'url'): string {
  return `/${stack}/api-${what}`;
}

function acknowledgePublic(route: HttpRoute, because: string | undefined): void {
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: `The route is public. ${because}` });
}

function cfnStageOf(stage: HttpStage): CfnStage {
  const { defaultChild } = stage.node;
  if (!(defaultChild instanceof CfnStage)) throw new Error('The stage has no resource of its own');
  return defaultChild;
}

/**
 * Omits path, query, headers and body, because checkout paths and keys grant access. The caller's IP address helps to
 * identify a caller who floods the API.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    request_id: '$context.requestId',
    route: '$context.routeKey',
    status: '$context.status',
    response_ms: '$context.responseLatency',
    integration_ms: '$context.integrationLatency',
    // The function's status, or a dash if API Gateway itself responded.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
    function_status: '$context.integration.status',
    ip: '$context.identity.sourceIp',
    error: '$context.error.message',
    integration_error: '$context.integrationErrorMessage',
  }),
);

function accessLog(scope: Construct, settings: Settings): LogGroup {
  return new LogGroup(scope, 'AccessLog', {
    logGroupName: accessLogName(settings.name),
    retention: settings.logRetentionDays,
    removalPolicy: keptAsData(settings),
  });
}

function createDomain(scope: Construct, { name, certificateArn, hostedZone }: Domain): DomainName {
  const domainName = new DomainName(scope, 'Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
  });
  if (hostedZone) {
    new ARecord(scope, 'Record', {
      zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
        hostedZoneId: hostedZone.id,
        zoneName: hostedZone.name,
      }),
      // The trailing dot keeps the zone's name from being appended.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(domainName.regionalDomainName, domainName.regionalHostedZoneId),
      ),
    });
  } else {
    new CfnOutput(scope, 'DomainTarget', {
      key: 'DomainTarget',
      value: domainName.regionalDomainName,
      description: `Make a CNAME record from ${name} to this address`,
    });
  }
  return domainName;
}
