import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterOrPolicy, SubscriptionFilter, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { alarmName } from './names.ts';
import type { Settings } from './settings.ts';

/** Creates a topic that sends alarms by e-mail, and urgent alarms also to a URL. */
export function createTopic(scope: Construct, settings: Settings): Topic {
  // Not encrypted, because CloudWatch cannot use the AWS-managed key. Alarm texts are not secret.
  const topic = new Topic(scope, 'Topic', { topicName: `${settings.name}-alarms`, enforceSSL: true });
  // A custom policy replaces the default one, so this statement must allow alarms to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (settings.alarmEmail) topic.addSubscription(new EmailSubscription(settings.alarmEmail));
  if (settings.alarmUrl) {
    const AlarmName = SubscriptionFilter.stringFilter({ matchPrefixes: [alarmName(settings.name, 'money-stops', '')] });
    topic.addSubscription(
      new UrlSubscription(settings.alarmUrl, {
        protocol: SubscriptionProtocol.HTTPS,
        filterPolicyWithMessageBody: { AlarmName: FilterOrPolicy.filter(AlarmName) },
      }),
    );
  }
  return topic;
}
