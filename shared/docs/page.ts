import { html, raw } from 'hono/html';
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' };
import type { Answer } from '../runtime/http/answer.ts';
import { securityHeaders } from '../runtime/http/security-headers.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import assets from './assets.json' with { type: 'json' };

/** The page that shows `/openapi.json` with Swagger UI, which this service serves itself under `/docs/`. */
export async function referencePage(outside: Pick<Outside, 'randomBytes'>): Promise<Answer> {
  const nonce = outside.randomBytes(16).toString('base64');
  const version = swaggerUi.version;
  const body = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Momo Kiosk: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css?${version}">
<style nonce="${nonce}">${raw(assets['reference.css'])}</style>
<script nonce="${nonce}">${raw(assets['dark-mode.js'])}</script>
</head>
<body>
<div id="reference"><noscript>This page needs JavaScript. <a href="/openapi.json">The same as JSON</a> does not.</noscript></div>
<script src="/docs/swagger-ui-bundle.js?${version}"></script>
<script nonce="${nonce}">${raw(assets['start.js'])}</script>
</body>
</html>`;
  return {
    statusCode: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...securityHeaders(nonce, { ownFiles: true }) },
    body: String(body),
  };
}
