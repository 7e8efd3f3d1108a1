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

/** The HTTP API. Its routes are the manifest's, added one by one with `route`. */
export class Api extends Construct {
  readonly metrics: ApiMetrics;
  readonly accessLog: LogGroup;
  readonly #name: string;
  readonly #domain: Domain | undefined;
  /** As each stack knows it. */
  readonly #apis = new Map<Stack, IHttpApi>();
  readonly #stage: CfnStage;
  readonly #throttles: Settings['throttles'];
  /** As CloudFormation writes them: CDK hands this property on as it is. */
  readonly #routeSettings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> = {};

  constructor(scope: Construct, settings: Settings) {
    super(scope, 'Api');
    const { domain } = settings;
    // Its own address stays open beside a custom domain: checkout links that were handed out before the domain came, and the
    // phones that report to it, keep working. No CORS: browsers only open pages, and merchants' keys have no place in one.
    const httpApi = new HttpApi(this, 'Http', { apiName: settings.name, createDefaultStage: false });
    this.#apis.set(Stack.of(this), httpApi);
    // What a part cannot know by its name.
    new StringParameter(this, 'Id', { parameterName: told(settings.name, 'id'), stringValue: httpApi.apiId });
    new StringParameter(this, 'Url', { parameterName: told(settings.name, 'url'), stringValue: httpApi.apiEndpoint });
    this.#name = settings.name;
    this.#domain = domain;
    this.accessLog = accessLog(this, settings);
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      // Every route has settings of its own. AWS does not say whether this is a limit for each route or for all together, so it
      // is the highest of theirs: neither reading lets one route's callers stop another's.
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

  /** Where callers reach the service, without a slash at the end, as a stack of the stage knows it. */
  baseUrl(stack: Stack): string {
    return this.#domain ? `https://${this.#domain.name}` : this.#in(stack).apiEndpoint;
  }

  /** The API as a stack of the stage knows it: a part reads its id and its address once, as it is deployed. */
  #in(stack: Stack): IHttpApi {
    const known = this.#apis.get(stack);
    if (known) return known;
    const read = (what: 'id' | 'url') => StringParameter.valueForStringParameter(stack, told(this.#name, what));
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
        const reason = `The function checks the ${keyKindsOf(row).join(' or ')} key itself: an authorizer could not answer with the API's own envelope.`;
        Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
      } else acknowledgePublic(route, row.publicBecause);
    }
  }

  /** The pages of an area. */
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
   * A route with the limit of its group. In a part's stack it has the API's general limit: the API's stage cannot name routes of a stack
   * that is deployed after it.
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
    // A stage that names a route which is not there yet is refused.
    this.#stage.node.addDependency(route);
    return route;
  }
}

/**
 * Payload 2.0, which the wrapper reads, is the construct's default. One permission for all of a function's routes: nothing but its own
 * routes calls it through this API, and an area has six.
 */
function integrationOf(fn: LambdaFunction): HttpLambdaIntegration {
  return new HttpLambdaIntegration('Integration', fn, { scopePermissionToRoute: false });
}

function told(stack: string, what: 'id' | 'url'): string {
  return `/${stack}/api-${what}`;
}

function acknowledgePublic(route: HttpRoute, because: string | undefined): void {
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: `The route is public. ${because}` });
}

/** The construct has throttles for the stage as a whole only. */
function cfnStageOf(stage: HttpStage): CfnStage {
  const { defaultChild } = stage.node;
  if (!(defaultChild instanceof CfnStage)) throw new Error('The stage has no resource of its own');
  return defaultChild;
}

/**
 * No path, query, header or body: a checkout's path opens it, and a header holds the key. The route key says enough. The
 * caller's address is there because the throttle is for all callers together: it alone identifies a caller that floods.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    request_id: '$context.requestId',
    route: '$context.routeKey',
    status: '$context.status',
    response_ms: '$context.responseLatency',
    integration_ms: '$context.integrationLatency',
    // What the function answered; a dash where API Gateway answered in its place:
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
      // The dot says that the name is whole; without it the zone's name could be put behind it.
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
