/** Sources that the policy allows, as `'nonce-…'` or `'sha256-…'`. */
interface Sources {
  readonly style: string;
  readonly script: string;
  readonly image?: string | undefined;
  readonly opens?: readonly string[];
  /** True for pages that install as an app: manifest, icons and service worker come from their own host. */
  readonly isApp?: boolean;
}

/**
 * Headers of every HTML answer, in addition to those of `guardBrowser`. Nothing loads from other hosts, only the style
 * and script that `sources` names are allowed, the page connects to its own host only, and no site may frame it.
 */
export function securityHeaders(sources: Sources): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sources.style}`,
      `script-src ${sources.script}`,
      // `data:` allows the inline icon; without that, every visit would request /favicon.ico.
      `img-src ${sources.isApp ? "'self' " : ''}${sources.image ? `${sources.image} ` : ''}data:`,
      ...(sources.isApp ? ["manifest-src 'self'", "worker-src 'self'"] : []),
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    // The address is the key to the charge, so no other site or search engine may learn it.
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
