import type { World } from './world.ts';

// What can go wrong between the service and DynamoDB.

/** The next `times` requests of this name take effect, but their answers never arrive. */
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

/** The next `times` requests of this name are refused. Gives the token of each, and of those that pass after them. */
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

/** Of the writes from now on, each in one transaction or as one item, only this one fails, before it is sent. */
export function failWrite({ outside }: World, nth: number, error = new Error('The function died')): void {
  const { write } = outside.table;
  let writes = 0;
  outside.table.write = (all) => (++writes === nth ? Promise.reject(error) : write(all));
}
