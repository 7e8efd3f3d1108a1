import type { Aws } from '../../../runtime/stage/aws.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { deployment, type Finding, fine, found, notHere, repair, wrong } from '../finding.ts';

export async function checkAlarms({ aws, stage }: Deployment): Promise<Finding[]> {
  if (!aws) return [notHere('The local stack has no alarms.')];
  const stack = await aws.stack();
  const topicArn = stack?.outputs.AlarmTopicArn;
  if (stack?.outputs.ApiUrl && !topicArn) return [notHere('This stage was deployed without alarms (-c alarms=on).')];
  const alarms = topicArn ? await aws.alarms(topicArn) : [];
  if (alarms.length === 0) return [wrong('There are no alarms.', repair(stage))];
  const ringing = alarms.filter(({ state }) => state === 'ALARM');
  const muted = alarms.filter(({ isMuted }) => isMuted).map(({ name }) => name);
  return found(
    ringing.map(({ name, description }) =>
      wrong(
        `The alarm ${name} is active: ${description.replaceAll('\n', ' ')}`,
        'Fix the findings above first, because one of them may be the cause. Otherwise, the alarm says where to look. The alarm stops on its own once the cause is fixed.',
      ),
    ),
    ringing.length === 0 && fine(`None of the ${alarms.length} alarms is active.`),
    muted.length > 0 &&
      wrong(
        `${muted.length} of the ${alarms.length} alarms are muted, so nobody is notified of ${muted.slice(0, 3).join(', ')}${muted.length > 3 ? ' …' : ''}.`,
        `aws cloudwatch enable-alarm-actions --alarm-names ${muted.join(' ')}`,
      ),
    notified(topicArn ? await aws.subscriptions(topicArn) : [], stage),
  );
}

function notified(subscriptions: Awaited<ReturnType<Aws['subscriptions']>>, stage: string): Finding {
  if (subscriptions.some(({ isConfirmed }) => isConfirmed)) return fine('Somebody is notified of alarms.');
  const waiting = subscriptions.map(({ endpoint }) => endpoint).join(', ');
  return waiting
    ? wrong(
        `Nobody is notified of alarms, because ${waiting} has not confirmed the subscription.`,
        'Follow the link in the e-mail from AWS.',
      )
    : wrong(
        'Nobody is notified of alarms.',
        `Add -c alarmEmail=you@example.com and deploy again with: ${deployment(stage)}`,
      );
}
