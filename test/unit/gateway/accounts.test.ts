import { expect, test } from 'vitest';
import { gatewayAccount } from '../../../shared/phones/gateway/accounts.ts';
import { createWorld } from '../../support/world.ts';

test.each(['{"phone": {"password": canary}}', '{"phone": {"url": 7, "password": "canary"}}', 'canary', ''])(
  'a secret that was mistyped is an error without its words: %#',
  async (secret) => {
    const { outside } = await createWorld({ inMemory: true });
    const error = await gatewayAccount({ ...outside, secret: async () => secret }, 'phone').catch((thrown) => thrown);
    expect(error.message).toContain('"doctor" says where');
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('canary');
  },
);
