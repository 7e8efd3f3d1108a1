/** What a policy allows by: `'nonce-…'` or `'sha256-…'`. */
interface Sources {
  readonly style: string;
  readonly script: string;
  /** The address of the only picture that is loaded. */
  readonly image?: string | undefined;
  /** Features of the browser that the page may use. */
  readonly opens?: readonly string[];
  /** Whether the page can be installed as an app: with a manifest, icons and a service worker from its own host. */
  readonly isApp?: boolean;
}

/**
 * The headers of every HTML answer, besides those of `guardBrowser`. Nothing is loaded from other hosts, only the style and the
 * script that `sources` name are allowed, the page connects to its own host only, and no site may frame it.
 */
export function securityHeaders(sources: Sources): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sources.style}`,
      `script-src ${sources.script}`,
      // The icon, which is inline: without one every visit would also request /favicon.ico.
      `img-src ${sources.isApp ? "'self' " : ''}${sources.image ? `${sources.image} ` : ''}data:`,
      ...(sources.isApp ? ["manifest-src 'self'", "worker-src 'self'"] : []),
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // For browsers that know no frame-ancestors.
    'x-frame-options': 'DENY',
    // The address is the key to the charge: no other site and no search engine learns it.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
    'permissions-policy': [
      ...CLOSED_FEATURES.map((feature) => `${feature}=${sources.opens?.includes(feature) ? '(self)' : '()'}`),
      'clipboard-write=(self)',
    ].join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

const CLOSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];
