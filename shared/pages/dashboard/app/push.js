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
    // Subscribing fails if the browser has a subscription with another stage's key.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      const old = await pushManager.getSubscription();
      if (old) await old.unsubscribe();
      return pushManager.subscribe(options);
    });
    input.value = JSON.stringify(subscription);
  };

  const reasons = {
    unsupported:
      'This browser cannot get notifications. On an iPhone, first add the dashboard to the home screen and open it there.',
    refused: 'Notifications are blocked. Allow them for this site in the browser’s settings.',
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    fault.hidden = true;
    subscribe().then(
      () => form.submit(),
      ({ message }) => {
        fault.textContent =
          reasons[message] ||
          'The browser could not turn notifications on. Try again later, or get them as texts: see all notifications.';
        fault.hidden = false;
        for (const button of form.querySelectorAll('button')) button.disabled = false;
      },
    );
  });
})();
