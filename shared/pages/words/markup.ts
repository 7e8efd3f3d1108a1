import type { html } from 'hono/html';

/** A value with markup around it, such as a bold amount, or a sentence that holds one. */
export type Markup = ReturnType<typeof html>;
