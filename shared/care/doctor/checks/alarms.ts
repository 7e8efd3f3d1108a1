import type { Place } from '../../../runtime/stage/place.ts';
import { deployment, type Finding, fine, notHere, repair, wrong } from '../finding.ts';

/** The alarms exist, where the stage has any, none is active, and somebody is notified of them. */
export async function checkAlarms({ aws, stage }: Place): Promise<Finding[]> {
  if (!aws) return [notHere('The local stack has no alarms.')];
  const stack = await aws.stack();
  const topicArn = stack?.outputs.AlarmTopicArn;
  if (stack?.outputs.ApiUrl && !topicArn) return [notHere('This stage was deployed without alarms (-c alarms=on).')];
  const alarms = topicArn ? await aws.alarms(topicArn) : [];
  if (alarms.length === 0) return [wrong('There are no alarms.', repair(stage))];
  const ringing = alarms.filter(({ state }) => state === 'ALARM');
  const findings =
    ringing.length > 0
      ? ringing.map(({ name, description }) =>
          wrong(
            `The alarm ${name} is active: ${description.replaceAll('\n', ' ')}`,
            'Fix what is found above first: it may be the cause. If nothing is, the alarm says where to look. It ends by itself once its cause is gone.',
          ),
        )
      : [fine(`None of the ${alarms.length} alarms is active.`)];

  const muted = alarms.filter(({ isMuted }) => isMuted).map(({ name }) => name);
  if (muted.length > 0)
    findings.push(
      wrong(
        `${muted.length} of the ${alarms.length} alarms are muted: nobody would be notified of ${muted.slice(0, 3).join(', ')}${muted.length > 3 ? ' …' : ''}.`,
        `aws cloudwatch enable-alarm-actions --alarm-names ${muted.join(' ')}`,
      ),
    );
  const subscriptions = topicArn ? await aws.subscriptions(topicArn) : [];
  const waiting = subscriptions.filter(({ isConfirmed }) => !isConfirmed);
  if (subscriptions.some(({ isConfirmed }) => isConfirmed)) findings.push(fine('Somebody is notified of alarms.'));
  else if (waiting.length > 0) {
    const who = waiting.map(({ endpoint }) => endpoint).join(', ');
    findings.push(
      wrong(
        `Nobody is notified of alarms: ${who} has not confirmed the subscription.`,
        'Follow the link in the e-mail from AWS.',
      ),
    );
  } else {
    findings.push(
      wrong('Nobody is notified of alarms.', `Deploy again with -c alarmEmail=you@example.com: ${deployment(stage)}`),
    );
  }
  return findings;
}
