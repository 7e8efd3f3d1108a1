/**
 * What Swagger UI's own style lacks: enough contrast, a phone's width, and quiet where a control would do nothing, because
 * requests are not tried from the page.
 */
export const style = `
:root { color-scheme: light; --page: #fff; --link: #1d5fb4; --badge: #4a5160; --line: #d8dce2; --code: #f2f3f5; --code-ink: #6b21a8;
  --get: #1f5fa8; --post: #11693f; --put: #8a5200; --delete: #b3261e; }
:root.dark-mode { color-scheme: dark; --page: #1c2022; --link: #8ab8f5; --line: #3a4046; --code: #2a2f33; --code-ink: #d3b4f7; }
html, body { margin: 0; background: var(--page); }
noscript { display: block; padding: 24px; font: 16px/1.5 system-ui, sans-serif; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock-description-wrapper p, .swagger-ui .info :is(p, li, table, h2, a),
.swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock-tag small, .swagger-ui table thead tr :is(td, th), .swagger-ui .response-col_status,
.swagger-ui .opblock .opblock-section-header h4, .swagger-ui .parameter__name, .swagger-ui .renderedMarkdown p { font-family: system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1000px; box-sizing: border-box; padding: 0 20px; }
.swagger-ui .info { margin: 32px 0 24px; }
.swagger-ui .info :is(p, li) { font-size: 16px; line-height: 1.5; }
.swagger-ui .info a, .swagger-ui a.link, .swagger-ui .info .base-url { color: var(--link); text-decoration: underline; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: var(--badge); }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--code); color: var(--code-ink); font-weight: 500; padding: 2px 5px; overflow-wrap: anywhere; }
.swagger-ui .info .renderedMarkdown pre code { display: block; padding: 12px; border-radius: 6px; white-space: pre-wrap; font-size: 13px; line-height: 1.5; }
.swagger-ui .info table thead tr th { padding: 0 12px 8px 0; }
.swagger-ui .info td { padding: 8px 12px 8px 0; border-top: 1px solid var(--line); vertical-align: top; }
.swagger-ui .info td code { overflow-wrap: normal; }
.swagger-ui .opblock-get .opblock-summary-method { background: var(--get) !important; }
.swagger-ui .opblock-post .opblock-summary-method { background: var(--post) !important; }
.swagger-ui .opblock-put .opblock-summary-method { background: var(--put) !important; }
.swagger-ui .opblock-delete .opblock-summary-method { background: var(--delete) !important; }
.swagger-ui .opblock .opblock-summary-method { color: #fff !important; text-shadow: none; }
.swagger-ui .highlight-code > .microlight { white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .parameter__in { color: #5b6270; }
:root.dark-mode .swagger-ui :is(.examples-select__section-label, .header-col, .parameter__in) { color: #d6dadf !important; }

/* Keys to type in, values to try, copies of what can be selected: buttons within buttons, that lead nowhere. */
.swagger-ui :is(.scheme-container, .authorization__btn, .view-line-link, .response-control-media-type, .response-col_links) { display: none !important; }
.swagger-ui .parameters-col_description > :is(input, select) { display: none; }
.swagger-ui .opblock-section-request-body :is(label, .content-type-wrapper):not(:has(option + option)) select { display: none; }

@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 28px; }
  .swagger-ui .info :is(table, tbody, tr, td) { display: block; padding: 0; border: 0; }
  .swagger-ui .info thead { display: none; }
  .swagger-ui .info tr { padding: 12px 0; border-top: 1px solid var(--line); }
  .swagger-ui .info td:nth-child(-n + 2) { display: inline-block; margin-right: 8px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { padding: 0; flex: 1 1 100%; order: 1; }
  .swagger-ui :is(.parameters, .responses-table), .swagger-ui :is(.parameters, .responses-table) > tbody,
  .swagger-ui :is(.parameters, .responses-table) > tbody > tr, .swagger-ui :is(.parameters, .responses-table) > tbody > tr > td { display: block; }
  .swagger-ui :is(.parameters, .responses-table) > thead { display: none; }
  .swagger-ui .responses-table .response-col_description { padding-top: 4px; }
  .swagger-ui .responses-inner, .swagger-ui .opblock-body .table-container { padding: 12px; }
}
`;
