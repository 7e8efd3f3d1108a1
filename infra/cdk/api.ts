import { CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DefaultRow, HttpRow } from '../../shared/runtime/triggers/row.ts';
import type { Domain, Settings } from './settings.ts';

type ApiMetrics = Readonly<Record<'requests' | 'clientErrors' | 'serverErrors' | 'latency' | 'slowestLatency', Metric>>;

/** The HTTP API. Its routes are the manifest's, added one by one with `route`. */
export class Api extends Construct {
  /** Where callers reach the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly metrics: ApiMetrics;
  readonly #api: HttpApi;

  constructor(scope: Construct, settings: Settings) {
    super(scope, 'Api');
    const { domain } = settings;
    // Its own address stays open beside a custom domain: checkout links that were handed out before the domain came, and the
    // phones that report to it, keep working. No CORS: browsers only open pages, and merchants' keys have no place in one.
    this.#api = new HttpApi(this, 'Http', { apiName: settings.name, createDefaultStage: false });
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: settings.throttle.ratePerSecond, burstLimit: settings.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog(this, settings)),
        format: accessLogFormat,
      },
      ...(domain && { domainMapping: { domainName: createDomain(this, domain) } }),
    });
    this.baseUrl = domain ? `https://${domain.name}` : this.#api.apiEndpoint;
    const period = Duration.minutes(5);
    this.metrics = {
      requests: stage.metricCount({ period }),
      clientErrors: stage.metricClientError({ period }),
      serverErrors: stage.metricServerError({ period }),
      latency: stage.metricLatency({ period, statistic: Stats.p(50) }),
      slowestLatency: stage.metricLatency({ period, statistic: Stats.p(99) }),
    };
  }

  route(fn: LambdaFunction, row: HttpRow | DefaultRow): void {
    const route = new HttpRoute(fn, 'Route', {
      httpApi: this.#api,
      routeKey: row.on === 'http' ? HttpRouteKey.with(row.path, HttpMethod[row.method]) : HttpRouteKey.DEFAULT,
      // Payload 2.0, which the wrapper reads, is the construct's default.
      integration: new HttpLambdaIntegration('Integration', fn),
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        row.on === 'http' && row.key
          ? `The function checks the ${row.key} key itself: an authorizer could not answer with the API's own envelope.`
          : `The route is public. ${row.publicBecause}`,
    });
  }
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
    ip: '$context.identity.sourceIp',
    error: '$context.error.message',
    integration_error: '$context.integrationErrorMessage',
  }),
);

function accessLog(scope: Construct, settings: Settings): LogGroup {
  return new LogGroup(scope, 'AccessLog', {
    // Below /aws/vendedlogs, so that API Gateway's entry in the account's log policy, whose size is limited, stays one.
    logGroupName: `/aws/vendedlogs/${settings.name}/api`,
    retention: settings.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
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
