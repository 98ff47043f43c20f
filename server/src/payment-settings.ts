import { z } from 'zod'
import type { Setting } from './settings.ts'

/** Settings of who takes the money: a marketplace, or a provider of payments. */
export const PAYMENT_SETTINGS = {
  BOATHOUSE_MARKETPLACE: {
    schema: z.enum(['none', 'local', 'aws']),
    fallback: 'none',
    expects: 'none, local or aws',
    meaning:
      'Cloud marketplace whose customers can sign up and pay there; local accepts test tokens and moves no money',
  },
  BOATHOUSE_MARKETPLACE_DIMENSION: {
    schema: z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/),
    fallback: 'usage_cents',
    expects: 'the name of a dimension of the product',
    meaning: 'Dimension in which usage is metered at the marketplace; a unit of it costs 0.01 USD',
  },
  BOATHOUSE_AWS_MARKETPLACE_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an address such as https://metering.example.com',
    meaning:
      'Another address of the AWS Marketplace Metering Service; by default that of BOATHOUSE_AWS_REGION',
  },
  BOATHOUSE_PAYMENT: {
    schema: z.enum(['none', 'local', 'stripe']),
    fallback: 'local',
    expects: 'none, local or stripe',
    meaning:
      'Payment provider for cards; local accepts test cards and moves no money, none never asks for a card',
  },
  BOATHOUSE_STRIPE_SECRET_KEY: {
    schema: z.string().regex(/^[sr]k_(test|live)_\w{8,}$/),
    fallback: undefined,
    expects: 'a secret or restricted key that begins with sk_ or rk_',
    meaning: 'Secret key of the account at Stripe; required with BOATHOUSE_PAYMENT=stripe',
    secret: true,
  },
  BOATHOUSE_STRIPE_PUBLISHABLE_KEY: {
    schema: z.string().regex(/^pk_(test|live)_\w{8,}$/),
    fallback: undefined,
    expects: 'a publishable key that begins with pk_',
    meaning: 'Key with which browsers identify the account at Stripe; required with BOATHOUSE_PAYMENT=stripe',
  },
  BOATHOUSE_STRIPE_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_[^\s,]{8,}(,whsec_[^\s,]{8,})*$/),
    fallback: undefined,
    expects: 'a signing secret that begins with whsec_; an older one may follow, a comma between them',
    meaning:
      'Secret that signs the events of Stripe at /api/payment/events; required with BOATHOUSE_PAYMENT=stripe',
    secret: true,
  },
  BOATHOUSE_STRIPE_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: 'https://api.stripe.com',
    expects: 'an https address, or an http address of this machine',
    meaning: 'Address of the Stripe API; for tests and proxies',
  },
} as const satisfies Record<string, Setting>
