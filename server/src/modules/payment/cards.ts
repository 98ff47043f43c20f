import { type CardBinding, isFrozen, isResuming } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { userAuthor } from '../audit/author.ts'
import { cardOf, customerOf, keepCustomer } from './card-store.ts'
import { type From, type CardOptions, requirePayer, createCardSetups } from './card-setups.ts'
import { createCardUpkeep } from './card-upkeep.ts'

export function createCards(options: CardOptions) {
  const { db, clock, log } = options
  const setups = createCardSetups(options)
  const { requireProvider, asking, begin, follow, requireSetup } = setups

  return {
    ...createCardUpkeep(options, setups),

    requireSetup,

    async exists({ actor }: From): Promise<boolean> {
      const payer = await requirePayer(db, actor)
      return (await customerOf(db, payer.organisationId, requireProvider().id)) !== undefined
    },

    async setUpCustomer(from: From): Promise<{ clientSecret: string }> {
      const payer = await requirePayer(db, from.actor)
      const to = requireProvider()
      const { organisationId, name } = payer
      const known = await customerOf(db, organisationId, to.id)
      if (known) return begin(from, payer, known.customer_ref)
      const customerRef = await asking(to.createCustomer({ id: organisationId, name }))
      await keepCustomer(db, {
        organisation_id: organisationId,
        provider: to.id,
        customer_ref: customerRef,
        created_at: clock.now(),
      })
      const kept = await customerOf(db, organisationId, to.id)
      return begin(from, payer, kept?.customer_ref ?? customerRef)
    },

    async setUpMethod(from: From, force: boolean): Promise<{ clientSecret: string }> {
      const payer = await requirePayer(db, from.actor)
      const { id } = requireProvider()
      const customer = await customerOf(db, payer.organisationId, id)
      if (!customer)
        throw new AppError('NotFound', 'The payment provider does not know this organisation yet.')
      if (!force && (await cardOf(db, payer.organisationId, id)))
        throw new AppError('Conflict', 'A card is already bound. Set force to replace it.')
      return begin(from, payer, customer.customer_ref)
    },

    /** The state of a card on its way, for the page that waits for it. */
    async binding(from: From, clientSecret: string): Promise<CardBinding> {
      const setup = await requireSetup(from.actor, clientSecret)
      try {
        const state = await follow(setup, userAuthor(from))
        const { accountState } = from.actor
        return state === 'bound' && (isFrozen(accountState) || isResuming(accountState))
          ? 'inProgress'
          : state
      } catch (error) {
        log.warn({ err: error }, 'the payment provider did not report the state of a card')
        return 'retryLater'
      }
    },
  }
}

export type Cards = ReturnType<typeof createCards>
