import type { DynamoDBRecord } from 'aws-lambda';
import { manifest } from '../../functions/manifest.ts';

/** Of the changes in the table's stream, those that its filters let through to a function. */
export function wanted(name: 'work/relay' | 'work/follow-up', records: readonly DynamoDBRecord[]): DynamoDBRecord[] {
  return records.filter(({ eventName, dynamodb }) =>
    manifest[name].only.some(
      ({ event, sortKeyPrefixes }) =>
        event === eventName && sortKeyPrefixes.some((start) => dynamodb?.Keys?.sk?.S?.startsWith(start)),
    ),
  );
}
