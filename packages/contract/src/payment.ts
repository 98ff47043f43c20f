import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** To the letter. */
export const CARD_MESSAGES = {
  failed: 'Failed to add credit card. Please try again or change another credit card.',
  problem: 'There seems to be a problem now, please try it again later.',
} as const

export const PaymentType = z.enum(['direct', 'marketplace', 'contract'])
export type PaymentType = z.infer<typeof PaymentType>

/** The states of a card that was entered. */
export const CardBinding = z.enum(['waiting', 'verifying', 'inProgress', 'retryLater', 'bound'])
export type CardBinding = z.infer<typeof CardBinding>

/** All that is kept of a card. */
export const Card = z.object({
  brand: z.string(),
  lastDigits: z.string(),
  /** `YYYY-MM`: good until the end of this month. */
  expires: z.string(),
})
export type Card = z.infer<typeof Card>

/** Whose form takes the card. */
export const PaymentForm = z.object({
  provider: z.enum(['local', 'stripe']),
  /** By which the browser's library knows the installation; null where there is no such library. */
  publishableKey: z.nullable(z.string()),
})
export type PaymentForm = z.infer<typeof PaymentForm>

/** What the cards of the local provider do. Their numbers stay in the browser. */
export const TestCard = z.enum([
  'visa',
  'mastercard',
  'amex',
  'challenge',
  'declined',
  'unavailable',
  'declinedLater',
  'failsLater',
])
export type TestCard = z.infer<typeof TestCard>

export const InvoiceState = z.enum(['open', 'charging', 'retrying', 'unpaid', 'paid', 'elsewhere'])
export type InvoiceState = z.infer<typeof InvoiceState>

export const Invoice = z.object({
  invoiceId: z.string(),
  number: z.string(),
  /** `YYYY-MM` */
  month: z.string(),
  state: InvoiceState,
  closedAt: z.string(),
  ccu: z.string(),
  /** Before credit, and what is to pay; USD with two places. */
  usageUsd: z.string(),
  dueUsd: z.string(),
  paidAt: z.nullable(z.string()),
  /** When the card is tried again. */
  nextAttemptAt: z.nullable(z.string()),
  /** Why the card was not charged. */
  problem: z.nullable(z.string()),
  hasReceipt: z.boolean(),
})
export type Invoice = z.infer<typeof Invoice>

export const InvoiceLine = z.object({
  lineId: z.string(),
  accountId: z.string(),
  account: z.string(),
  /** Null: the storage of the account. */
  warehouseId: z.nullable(z.string()),
  warehouse: z.string(),
  /** `YYYY-MM`: usage that was metered late is of an earlier one. */
  month: z.string(),
  size: z.string(),
  chargedSeconds: z.int(),
  ccu: z.string(),
  gbMonths: z.nullable(z.string()),
  /** USD for a CCU, or for a GB in a month. */
  price: z.string(),
  usd: z.string(),
  inTrial: z.boolean(),
  ccuFromBalance: z.string(),
  discountPercent: z.string(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** From what was used to what is due: all parts together are the amount, to the last place. */
export const InvoicePart = z.object({
  kind: z.enum(['usage', 'trial', 'discount', 'balance', 'carriedIn', 'carriedOut']),
  usd: z.string(),
})
export type InvoicePart = z.infer<typeof InvoicePart>

const ClientSecret = z.string().check(z.minLength(1), z.maxLength(256))
const withSecret = z.object({ clientSecret: ClientSecret })
const accountAdmin = { roles: ['account_admin'] } as const
const INVOICES_PER_PAGE = 12

/** Cards are the affair of organisation admins of the root account, frozen or not. */
export const payment = {
  getCustomer: defineCall({
    path: '/payment/get-customer',
    summary: 'Check whether the organisation is registered with the payment provider',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({}),
    output: z.object({ exists: z.boolean(), form: PaymentForm }),
    fails: ['NoPermission', 'NotFound'],
  }),
  setupCustomer: defineCall({
    path: '/payment/setup-customer',
    summary: 'Register the organisation with the payment provider and start to add a card',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({}),
    output: withSecret,
    fails: ['NoPermission', 'NotFound', 'PaymentFailed', 'TooManyAttempts'],
  }),
  setupPaymentMethod: defineCall({
    path: '/payment/setup-payment-method',
    summary: 'Start to add a card; an existing card is replaced only with force',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({ force: z._default(z.boolean(), false) }),
    output: withSecret,
    fails: ['NoPermission', 'NotFound', 'Conflict', 'PaymentFailed', 'TooManyAttempts'],
  }),
  cardBinding: defineCall({
    path: '/payment/card-binding',
    summary: 'Get the state of a card that was entered',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: withSecret,
    output: z.object({ state: CardBinding }),
    fails: ['NoPermission', 'NotFound'],
  }),
  /** For the local provider only; others have a library of their own in the browser. */
  confirmTestCard: defineCall({
    path: '/payment/confirm-test-card',
    summary: 'Add a test card of the local payment provider',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({
      clientSecret: ClientSecret,
      card: TestCard,
      lastDigits: z.string().check(z.regex(/^\d{4}$/)),
      expires: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/)),
    }),
    output: z.object({ state: z.enum(['succeeded', 'challenge', 'declined']) }),
    fails: ['NoPermission', 'NotFound', 'PaymentFailed', 'BadInput'],
  }),
  answerTestChallenge: defineCall({
    path: '/payment/answer-test-challenge',
    summary: 'Confirm or decline a card at the test bank of the local payment provider',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({ clientSecret: ClientSecret, passes: z.boolean() }),
    output: z.object({ state: z.enum(['succeeded', 'declined']) }),
    fails: ['NoPermission', 'NotFound', 'PaymentFailed'],
  }),
  overview: defineCall({
    path: '/payment/overview',
    summary: 'Get the usage of this month and the payment details; root account only',
    needs: accountAdmin,
    render: true,
    input: z.object({}),
    output: z.object({
      organisation: z.string(),
      /** `YYYY-MM` */
      month: z.string(),
      /** The end of the last day of the month, UTC. */
      nextBillingAt: z.string(),
      monthToDate: z.object({ ccu: z.string(), usd: z.string() }),
      /** At the pace of the last seven days; null before the first usage. */
      forecastUsd: z.nullable(z.string()),
      ccuBalance: z.string(),
      paymentType: PaymentType,
      /** For this month, agreed with the operator; 0 without one. */
      discountPercent: z.string(),
      /** Of the free trial; null without one, or when it has ended. */
      trialCredit: z.nullable(z.object({ usd: z.string(), leftUsd: z.string(), endsAt: z.string() })),
      card: z.nullable(Card),
      /** Whether a card can be bound here, and by who asks. */
      paymentEnabled: z.boolean(),
      mayBindCard: z.boolean(),
    }),
    fails: ['NoPermission'],
  }),
  listInvoices: defineCall({
    path: '/payment/list-invoices',
    summary: 'List the invoices of the organisation, newest first; root account only',
    needs: accountAdmin,
    silent: true,
    input: z.object({
      page: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
      pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), INVOICES_PER_PAGE),
    }),
    output: z.object({ invoices: z.array(Invoice), total: z.int() }),
    fails: ['NoPermission'],
  }),
  /** What an invoice is made of: the lines together are its usage, to the last place. */
  invoiceLines: defineCall({
    path: '/payment/invoice-lines',
    summary: 'List the lines of an invoice by account, warehouse, size and price; root account only',
    needs: accountAdmin,
    silent: true,
    input: z.object({
      invoiceId: z.uuid(),
      page: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
      pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
    }),
    output: z.object({
      usd: z.string(),
      parts: z.array(InvoicePart),
      total: z.int(),
      lines: z.array(InvoiceLine),
    }),
    fails: ['NoPermission', 'NotFound'],
  }),
  /** And what a line is made of. */
  lineHours: defineCall({
    path: '/payment/line-hours',
    summary: 'List the hours of warehouse or storage behind an invoice line; root account only',
    needs: accountAdmin,
    silent: true,
    input: z.object({
      lineId: z.uuid(),
      page: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
      pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), 24),
    }),
    output: z.object({
      usd: z.string(),
      total: z.int(),
      hours: z.array(
        z.object({
          hour: z.string(),
          chargedSeconds: z.int(),
          ccu: z.string(),
          /** What was kept in this hour; null of a warehouse. */
          bytes: z.nullable(z.int()),
          usd: z.string(),
        }),
      ),
    }),
    fails: ['NoPermission', 'NotFound'],
  }),
  invoiceFile: defineCall({
    path: '/payment/invoice-file',
    summary: 'Download an invoice or its receipt',
    needs: accountAdmin,
    input: z.object({ invoiceId: z.uuid(), file: z.enum(['invoice', 'receipt', 'csv']) }),
    output: z.object({ fileName: z.string(), mediaType: z.string(), base64: z.string() }),
    fails: ['NoPermission', 'NotFound'],
  }),
}
