import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { StreamRow } from './row.ts';

/** Whether a change fits the row's filters. */
export function isWanted({ eventName, dynamodb }: StreamRecord, { only }: StreamRow): boolean {
  const sk = dynamodb?.Keys?.sk?.S ?? '';
  return only.some(
    ({ event, sortKeyPrefixes }) => event === eventName && sortKeyPrefixes.some((start) => sk.startsWith(start)),
  );
}

/** A change as Lambda hands it to a function: with seconds where the SDK has a date. */
export function asLambda({ dynamodb, ...record }: StreamRecord): object {
  const createdMs = dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: createdMs / 1000 } };
}
