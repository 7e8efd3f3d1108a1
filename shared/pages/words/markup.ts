import type { html } from 'hono/html';

/** Text with markup, such as a bold amount. */
export type Markup = ReturnType<typeof html>;
