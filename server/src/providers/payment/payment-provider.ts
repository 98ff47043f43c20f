/** All that is ever known of a card here. */
export interface BoundCard {
  /** What the provider calls it. */
  readonly cardRef: string
  readonly brand: string
  readonly lastDigits: string
  /** `YYYY-MM` */
  readonly expires: string
}

/** The outcome of entering a card. */
export type SetupOutcome =
  | { readonly state: 'waiting' | 'verifying' | 'declined' }
  | { readonly state: 'succeeded'; readonly card: BoundCard }

export interface ChargeOrder {
  readonly customerRef: string
  readonly cardRef: string
  readonly cents: number
  readonly description: string
  /** At most one charge ever succeeds under it. */
  readonly key: string
  /** Another try after a refusal; the same try sent again is answered again. */
  readonly attempt: number
}

export type ChargeOutcome =
  | { readonly state: 'succeeded'; readonly chargeRef: string }
  | { readonly state: 'declined'; readonly problem: string }
  /** Not known yet: ask again with the same order. */
  | { readonly state: 'processing' }

/** Every promise rejects when the provider does not answer; then nothing is known, and the same order is sent again. */
export interface PaymentProvider {
  readonly id: string
  /** Less is not charged: it is carried on to the next invoice. */
  readonly leastCents: number
  /** The same organisation is the same customer. */
  createCustomer(organisation: { readonly id: string; readonly name: string }): Promise<string>
  beginSetup(customerRef: string): Promise<{ readonly setupRef: string; readonly clientSecret: string }>
  setupOutcome(setupRef: string): Promise<SetupOutcome>
  charge(order: ChargeOrder): Promise<ChargeOutcome>
  /** Forgets a card. An unknown card is no error. */
  detachCard(cardRef: string): Promise<void>
}

/** An event that a provider sends. It is only a reason to ask: what counts is the answer then. */
export interface ProviderEvent {
  readonly id: string
  readonly about: 'setup' | 'charge' | 'other'
  /** Of the set-up or the charge. */
  readonly ref: string
}

export type ReadEvent = (message: {
  readonly body: string
  readonly signature: string
  readonly now: Date
}) => Promise<ProviderEvent | 'forged' | 'stale' | 'unreadable'>

/** Which intent is whose; given from outside, as a provider remembers what was sent for a day only. */
export interface IntentMemory {
  read(chargeKey: string): Promise<string | undefined>
  /** The first to write it wins, unless it is in place of another: answers what is there afterwards. */
  keep(chargeKey: string, intentRef: string, instead?: string): Promise<string>
}
