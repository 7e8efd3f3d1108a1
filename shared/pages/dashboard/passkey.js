(() => {
  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const toText = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=/g, '');

  // Converts ids and challenges from text to bytes.
  const optionsOf = ({ options }, challenge) => {
    const publicKey = JSON.parse(options);
    publicKey.challenge = toBytes(challenge);
    const { user } = publicKey;
    if (user) user.id = toBytes(user.id);
    for (const one of publicKey.excludeCredentials || []) one.id = toBytes(one.id);
    return { publicKey };
  };

  const answerOf = ({ id, response }) => {
    const names = ['userHandle', 'clientDataJSON', 'authenticatorData', 'signature', 'attestationObject'];
    const given = names.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
    return JSON.stringify(Object.assign({ id }, Object.fromEntries(given)));
  };

  const ask = async (input) => {
    const response = await fetch(input.dataset.challenge, { method: 'POST' });
    if (!response.ok) throw new Error('No challenge');
    const { challenge } = await response.json();
    const options = optionsOf(input.dataset, challenge);
    const { credentials } = navigator;
    input.value = answerOf(
      await (input.dataset.passkey === 'get' ? credentials.get(options) : credentials.create(options)),
    );
  };

  const reasons = {
    NotAllowedError: 'The passkey was not used. Try again.',
    InvalidStateError: 'This phone or computer already has your passkey.',
    SecurityError: 'Passkeys do not work at this address.',
  };

  for (const input of document.querySelectorAll('[data-passkey]')) {
    const { form } = input;
    const fault = form.querySelector('[data-passkey-fault]');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      fault.hidden = true;
      const asked =
        navigator.credentials && window.PublicKeyCredential ? ask(input) : Promise.reject(new Error('None'));
      asked.then(
        () => form.submit(),
        ({ name }) => {
          fault.textContent =
            reasons[name] || 'This browser could not use a passkey here. Try again, or use another browser.';
          fault.hidden = false;
          for (const button of form.querySelectorAll('button')) button.disabled = false;
        },
      );
    });
  }
})();
