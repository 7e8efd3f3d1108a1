import * as z from 'zod/mini';

/** The mobile money networks of Ghana. Numbers move between them, so a network is always told, never read off a prefix. */
export const Network = z.enum(['MTN', 'TELECEL', 'AT']);
export type Network = z.infer<typeof Network>;
