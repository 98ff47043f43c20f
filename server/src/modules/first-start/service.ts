import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import { makeSamples } from '../samples/make-samples.ts'
import { SAVED_QUERIES } from '../samples/saved-queries.ts'
import { BY_OPERATOR, generatePassword, hashPassword } from '../user/passwords.ts'
import type { FirstStartFact, FirstStartStore } from './store.ts'

const ADMINISTRATOR = 'admin'

export interface FirstStartOptions {
  readonly store: FirstStartStore
  readonly useServiceEngine: UseEngine
  readonly clock: Clock
  readonly config: {
    adminPassword: string | undefined
    adminEmail: string | undefined
    sampleData: boolean
    region: string
    regions: { readonly own: { readonly cspId: string } }
  }
}

/** What the terminal shows; the password only while it has not been shown. */
export interface Welcome {
  readonly accountId: string
  readonly user: string
  readonly password: string | null
  /** Of the administrator; null: none. Undefined: that user is no longer there. */
  readonly email: string | null | undefined
}

/**
 * Makes an empty installation usable: organisation, account, administrator, warehouse, saved queries, sample data.
 * After a crash at any line, the next start continues where this one stopped.
 */
export function createFirstStart({ store, useServiceEngine, clock, config }: FirstStartOptions) {
  async function createDemo(): Promise<FirstStartFact> {
    return store.createDemo({
      region: config.region,
      csp: config.regions.own.cspId,
      passwordHash: await hashPassword(config.adminPassword ?? generatePassword(), BY_OPERATOR),
      email: config.adminEmail,
      savedQueries: config.sampleData ? SAVED_QUERIES : [],
      fact: {
        user: ADMINISTRATOR,
        samples: config.sampleData ? 'pending' : 'not wanted',
        password: config.adminPassword === undefined ? 'pending' : 'told',
      },
      at: clock.now(),
    })
  }

  /**
   * A password that nobody has seen is replaced, so that a start that was cut off locks nobody out. Null when the
   * operator gave one, which need not be shown.
   */
  async function renewPassword(fact: FirstStartFact): Promise<string | null> {
    const password = config.adminPassword ?? generatePassword()
    await store.setPassword(fact.accountId, fact.user, {
      hash: await hashPassword(password, BY_OPERATOR),
      at: clock.now(),
    })
    if (config.adminPassword === undefined) return password
    await store.setFact({ ...fact, password: 'told' })
    return null
  }

  /** Also of an installation that was started without one. */
  async function emailOf({ accountId, user }: FirstStartFact): Promise<string | null | undefined> {
    const email = await store.emailOf(accountId, user)
    if (email !== null || config.adminEmail === undefined) return email
    await store.fillInEmail(accountId, user, { email: config.adminEmail, at: clock.now() })
    return store.emailOf(accountId, user)
  }

  return {
    async prepare(): Promise<Welcome> {
      let fact = (await store.fact()) ?? (await createDemo())
      if (fact.samples === 'pending') {
        await useServiceEngine(fact.accountId, makeSamples)
        fact = { ...fact, samples: 'made' }
        await store.setFact(fact)
      }
      const password = fact.password === 'pending' ? await renewPassword(fact) : null
      const { accountId, user } = fact
      return { accountId, user, password, email: await emailOf(fact) }
    },

    /** The password was shown on the terminal, and never is again. */
    async passwordTold(): Promise<void> {
      const fact = await store.fact()
      if (fact) await store.setFact({ ...fact, password: 'told' })
    },
  }
}
