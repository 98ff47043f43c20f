interface Sources {
  readonly script: string
  readonly connect: string
  readonly frame: string
}

const NO_OTHERS: Sources = { script: '', connect: '', frame: '' }
/** As its documentation says: the form is a frame of Stripe, so that no card number is ever in a page of ours. */
const STRIPE: Sources = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  connect: ' https://api.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
}

/** The console needs inline styles (editor, tooltips), never inline scripts. */
const contentSecurityPolicy = (centralOrigin: string, stripe: Sources): string =>
  [
    "default-src 'none'",
    `script-src 'self'${stripe.script}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${centralOrigin}`.trim() + stripe.connect,
    ...(stripe.frame ? [`frame-src${stripe.frame}`] : []),
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

/**
 * In place of those of every answer, for the page of an embedded dashboard: only pages of these websites show it in a frame,
 * and it names its address, which has its key, to nobody.
 */
export const embeddedHeaders = (origins: readonly string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
})

/** The headers of every answer. */
export function securityHeaders(options: {
  isSecure: boolean
  centralUrl: string | undefined
  takesStripeCards: boolean
}) {
  return {
    ...ALWAYS,
    ...(options.isSecure ? OVER_TLS : {}),
    'content-security-policy': contentSecurityPolicy(
      options.centralUrl ? new URL(options.centralUrl).origin : '',
      options.takesStripeCards ? STRIPE : NO_OTHERS,
    ),
  }
}
