import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterOrPolicy, SubscriptionFilter, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { alarmName } from './names.ts';
import type { Settings } from './settings.ts';

/** Where alarms go: all of them by mail, and those for which somebody must be woken to a second address, such as a pager's. */
export function createTopic(scope: Construct, settings: Settings): Topic {
  // Not encrypted with a key: CloudWatch may not use the one that AWS manages, and an alarm's text is no secret.
  const topic = new Topic(scope, 'Topic', { topicName: `${settings.name}-alarms`, enforceSSL: true });
  // A topic with a policy of its own loses the default one, which lets the account's alarms in.
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
