interface Sources {
  readonly style: string;
  readonly script: string;
  readonly image?: string | undefined;
  readonly opens?: readonly string[];
  /** True if the page can be installed as an app, which loads its manifest, icons and service worker from this host. */
  readonly isApp?: boolean;
}

/**
 * Returns the headers of an HTML page. The page can load only `sources`, connects only to its own host and cannot be
 * framed.
 */
export function securityHeaders(sources: Sources): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sources.style}`,
      `script-src ${sources.script}`,
      // `data:` allows the inline icon, which saves a request for /favicon.ico.
      `img-src ${sources.isApp ? "'self' " : ''}${sources.image ? `${sources.image} ` : ''}data:`,
      ...(sources.isApp ? ["manifest-src 'self'", "worker-src 'self'"] : []),
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    // A charge's URL is its secret, so it must not leak to other sites or search engines.
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
