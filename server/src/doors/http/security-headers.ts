/** The console needs inline styles (editor, tooltips), never inline scripts. */
const contentSecurityPolicy = (centralOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${centralOrigin}`.trim(),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** Sent only when people reach the server over TLS. */
const OVER_TLS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** What a browser is told about every answer. */
export function securityHeaders(options: { isSecure: boolean; centralUrl: string | undefined }) {
  return {
    ...ALWAYS,
    ...(options.isSecure ? OVER_TLS : {}),
    'content-security-policy': contentSecurityPolicy(
      options.centralUrl ? new URL(options.centralUrl).origin : '',
    ),
  }
}
