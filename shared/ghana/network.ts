import * as z from 'zod/mini';

/**
 * The mobile money networks of Ghana. Numbers are portable between them, so a network is always given explicitly, never derived
 * from a prefix.
 */
export const Network = z.enum(['MTN', 'TELECEL', 'AT']);
export type Network = z.infer<typeof Network>;
