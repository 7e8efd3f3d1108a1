/** Registers the gateway with the checkout block. PHP provides the translated texts. */
(({ wc, wp }) => {
  const { title, description, supports } = wc.wcSettings.getSetting('momo_kiosk_data', {});
  const decode = wp.htmlEntities.decodeEntities;
  const label = decode(title || '');
  const Content = () => wp.element.createElement('span', null, decode(description || ''));
  wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'momo_kiosk',
    paymentMethodId: 'momo_kiosk',
    label,
    ariaLabel: label,
    content: wp.element.createElement(Content),
    edit: wp.element.createElement(Content),
    // PHP decides this by currency, settings and amount.
    canMakePayment: () => true,
    supports: { features: supports || ['products'] },
  });
})(window);
