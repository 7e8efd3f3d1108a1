// No "Try it out": it would ask for secret keys, which have no place in a browser.
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  supportedSubmitMethods: [],
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: -1,
});
// Swagger UI gives its selects no name that a screen reader could say.
new MutationObserver(() => {
  for (const select of document.querySelectorAll('select:not([aria-label])')) {
    select.ariaLabel = select.closest('.content-type-wrapper') ? 'Media type' : 'Example';
  }
}).observe(document.getElementById('reference'), { childList: true, subtree: true });
