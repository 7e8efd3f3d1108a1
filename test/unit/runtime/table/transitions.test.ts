import { describe, expect, test } from 'vitest';
import { chargeTransitions } from '../../../../shared/money/charge/states.ts';
import { mayBecome, type Transitions } from '../../../../shared/runtime/table/transitions.ts';
import { messageStates, messageTransitions } from '../../../../shared/texts/sms/states.ts';
import { createWorld, type World } from '../../../support/world.ts';

describe('state transitions', () => {
  test('of a message match its write conditions', async () => {
    const world = await createWorld();
    expect(await movesAllowed(world, messageTransitions, messageStates, 'pending')).toEqual([
      ...['nothing -> sending', 'nothing -> sent', 'nothing -> delivered', 'nothing -> cancelled'],
      ...['nothing -> expired', 'nothing -> failed', 'pending -> sending', 'pending -> sent', 'pending -> delivered'],
      ...['pending -> cancelled', 'pending -> expired', 'pending -> failed', 'sending -> sending', 'sending -> sent'],
      ...['sending -> delivered', 'sending -> expired', 'sending -> failed', 'sent -> delivered', 'sent -> failed'],
    ]);
  });

  test('of a charge match its write conditions', async () => {
    const world = await createWorld();
    const states = ['pending', 'success', 'reversed'] as const;
    const moves = await movesAllowed(world, chargeTransitions, states);
    expect(moves).toEqual(['pending -> success', 'success -> pending', 'success -> reversed']);
  });
});

/** Tries every transition, each on a new row, and on a missing row. */
async function movesAllowed<State extends string>(
  { outside }: World,
  transitions: Transitions<State>,
  states: readonly State[],
  unwritten?: State,
): Promise<string[]> {
  const allowed: string[] = [];
  for (const from of [undefined, ...states]) {
    for (const to of states) {
      if (!transitions[to]) continue;
      const key = { pk: `${from}`, sk: to };
      if (from) {
        await outside.table.write([
          { put: { Item: { ...key, state: from }, ConditionExpression: 'attribute_not_exists(pk)' } },
        ]);
      }
      const { condition, names, values } = mayBecome(transitions, to, unwritten);
      const moved = await outside.table.update({
        update: {
          Key: key,
          UpdateExpression: 'SET #state = :to',
          ConditionExpression: condition,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ...values, ':to': to },
        },
      });
      expect((await outside.table.get(key))?.state).toBe(moved ? to : from);
      if (moved) allowed.push(`${from ?? 'nothing'} -> ${to}`);
    }
  }
  return allowed;
}
