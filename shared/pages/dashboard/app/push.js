(() => {
  const input = document.querySelector('[data-subscription]');
  if (!input) return;
  const { form } = input;
  const fault = form.querySelector('[data-push-fault]');
  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

  const subscribe = async () => {
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification) throw new Error('unsupported');
    if ((await Notification.requestPermission()) !== 'granted') throw new Error('refused');
    await navigator.serviceWorker.register('/dashboard/app/worker.js', { scope: '/dashboard/' });
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: toBytes(input.dataset.subscription) };
    // Subscribing fails if the browser holds a subscription for another stage's key.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      const old = await pushManager.getSubscription();
      if (old) await old.unsubscribe();
      return pushManager.subscribe(options);
    });
    input.value = JSON.stringify(subscription);
  };

  const reasons = {
    unsupported:
      'This browser cannot be notified. On an iPhone, first add the dashboard to the home screen and open it there.',
    refused: 'This browser does not allow notifications from here: allow them in its settings for this site.',
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    fault.hidden = true;
    subscribe().then(
      () => form.submit(),
      ({ message }) => {
        fault.textContent =
          reasons[message] ||
          'The browser could not switch notifications on. Try again later, or be told by text message: see all notifications.';
        fault.hidden = false;
        for (const button of form.querySelectorAll('button')) button.disabled = false;
      },
    );
  });
})();
