import type { World } from './world.ts';

/** Drops the next `times` responses to a command. The commands still take effect. */
export function loseAnswers(world: World, command: string, times: number, about = ''): void {
  let left = times;
  world.dynamoDb = async (request, send) => {
    await send();
    const isMeant = request.command === command && JSON.stringify(request.input).includes(about);
    if (isMeant && left-- > 0) {
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    }
  };
}

/** Rejects a command `times` times. @returns the idempotency tokens of its calls, including later ones. */
export function refuse(world: World, command: string, times: number, error: () => Error): unknown[] {
  const tokens: unknown[] = [];
  let left = times;
  world.dynamoDb = async (request, send) => {
    if (request.command === command) {
      tokens.push('ClientRequestToken' in request.input ? request.input.ClientRequestToken : undefined);
      if (left-- > 0) throw error();
    }
    await send();
  };
  return tokens;
}

/** Fails the `nth` write after this call, before the write is sent. A transaction counts as one write. */
export function failWrite({ outside }: World, nth: number, error = new Error('The function died')): void {
  const { write } = outside.table;
  let writes = 0;
  outside.table.write = (all) => (++writes === nth ? Promise.reject(error) : write(all));
}
