import type { InvoiceState } from '@boathouse/contract'

export type InvoiceEvent = 'try' | 'pay' | 'decline' | 'give up' | 'new card' | 'contract'

/** Paid and elsewhere are the end. While it is charging, only the answer of the provider leads on. */
export const INVOICE_TRANSITIONS: readonly (readonly [
  from: InvoiceState,
  event: InvoiceEvent,
  to: InvoiceState,
])[] = [
  ['open', 'try', 'charging'],

  ['charging', 'pay', 'paid'],
  ['charging', 'decline', 'retrying'],
  ['charging', 'give up', 'unpaid'],

  ['retrying', 'try', 'charging'],
  ['retrying', 'new card', 'open'],

  ['unpaid', 'new card', 'open'],

  // The organisation pays another way from now on. One that is being charged waits for its answer first.
  ['open', 'contract', 'elsewhere'],
  ['retrying', 'contract', 'elsewhere'],
  ['unpaid', 'contract', 'elsewhere'],
]

/** Undefined when the event is impossible in this state. */
export const invoiceStateAfter = (state: InvoiceState, event: InvoiceEvent): InvoiceState | undefined =>
  INVOICE_TRANSITIONS.find(([from, on]) => from === state && on === event)?.[2]

export const statesBefore = (event: InvoiceEvent): InvoiceState[] =>
  INVOICE_TRANSITIONS.filter(([, on]) => on === event).map(([from]) => from)
