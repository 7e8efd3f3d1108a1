/*
 * message   SEND#<send id> / MESSAGE#<nn>   one recipient's state, written when a worker first claims it
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside.ts';
import { mayBecome } from '../runtime/states.ts';
import type { Piece } from '../runtime/table.ts';
import { parseSend, type Send, sendKey } from './send.table.ts';
import { messageStates, messageTransitions } from './states.ts';

/** The phone and SIM that a message goes out by, chosen once: a gateway recognises a repeat only on the same device. */
const Route = z.object({ gateway: z.string(), device_id: z.string(), sim_number: z.number() });
export type Route = z.infer<typeof Route>;

const Message = z.extend(z.partial(Route), {
  state: z.enum(messageStates),
  sending_at: z.optional(z.string()),
  sent_at: z.optional(z.string()),
  delivered_at: z.optional(z.string()),
  failed_at: z.optional(z.string()),
  failure_reason: z.optional(z.string()),
});
export type Message = z.infer<typeof Message>;

const keyOf = (sendId: string, index: number) => ({
  pk: `SEND#${sendId}`,
  sk: `MESSAGE#${String(index).padStart(2, '0')}`,
});

/** A send and the message to its recipient at `index`; a message that no worker has claimed is `pending`. */
export async function getSendAndMessage(
  outside: Pick<Outside, 'table'>,
  sendId: string,
  index: number,
): Promise<{ send: Send; message: Message } | undefined> {
  const items = await outside.table.getMany([sendKey(sendId), keyOf(sendId, index)]);
  const send = items.find(({ sk }) => sk === 'SEND');
  const message = items.find(({ sk }) => sk !== 'SEND');
  return send && { send: parseSend(send), message: message ? z.parse(Message, message) : { state: 'pending' } };
}

/**
 * Moves a message to `sending` and gives its route: the one given here, or that of an earlier try. Undefined where the
 * message is past sending.
 */
export async function claimMessage(
  outside: Pick<Outside, 'table' | 'now'>,
  sendId: string,
  index: number,
  route: Route | undefined,
): Promise<Partial<Route> | undefined> {
  const { condition, names, values } = mayBecome(messageTransitions, 'sending', 'pending');
  const chosen = Object.entries(route ?? {});
  const item = await outside.table.update({
    update: {
      Key: keyOf(sendId, index),
      UpdateExpression: [
        'SET #state = :sending',
        'sending_at = if_not_exists(sending_at, :now)',
        ...chosen.map(([name]) => `${name} = if_not_exists(${name}, :${name})`),
      ].join(', '),
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...values,
        ':sending': 'sending',
        ':now': new Date(outside.now()).toISOString(),
        ...Object.fromEntries(chosen.map(([name, value]) => [`:${name}`, value])),
      },
    },
  });
  return item && z.parse(z.partial(Route), item);
}

/** Moves a message to `failed`; where it is final already, nothing is left to do. */
export function failMessage(outside: Pick<Outside, 'now'>, sendId: string, index: number, reason: string): Piece {
  const { condition, names, values } = mayBecome(messageTransitions, 'failed', 'pending');
  return {
    update: {
      Key: keyOf(sendId, index),
      UpdateExpression: 'SET #state = :failed, failed_at = :now, failure_reason = :reason',
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...values,
        ':failed': 'failed',
        ':now': new Date(outside.now()).toISOString(),
        ':reason': reason,
      },
    },
    refused: () => undefined,
  };
}
