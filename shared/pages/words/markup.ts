import type { html } from 'hono/html';

/** Text with markup, such as a bold amount or a sentence that contains one. */
export type Markup = ReturnType<typeof html>;
