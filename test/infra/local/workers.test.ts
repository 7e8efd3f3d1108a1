import { expect, test } from 'vitest';
import { withSeconds } from '../../../infra/local/workers.ts';

const minute = Date.parse('2026-11-20T13:14:00Z');

test.each([
  ['a moment later', '13:14:53.890', '13:14:53.890'],
  ['in the next minute', '13:15:00.100', '13:14:59.999'],
  ['after the stack restarts', '18:00:00.000', '13:14:59.999'],
])('a change that is read %s is given a time within its minute', (_, read, is) => {
  const record = { dynamodb: { SequenceNumber: '7', ApproximateCreationDateTime: new Date(minute) } };
  expect(withSeconds(record, Date.parse(`2026-11-20T${read}Z`))).toEqual({
    dynamodb: { SequenceNumber: '7', ApproximateCreationDateTime: new Date(`2026-11-20T${is}Z`) },
  });
});

test('a time that already has seconds is unchanged', () => {
  const record = { dynamodb: { SequenceNumber: '7', ApproximateCreationDateTime: new Date('2026-11-20T13:14:07Z') } };
  expect(withSeconds(record, Date.parse('2026-11-20T18:00:00Z'))).toEqual(record);
});
