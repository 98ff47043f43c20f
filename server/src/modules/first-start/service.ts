import { randomInt, randomUUID } from 'node:crypto'
import type { Engine } from '../../engines/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import { SAMPLE_DATABASE } from '../samples/sample-database.ts'
import { SAVED_QUERIES } from '../samples/saved-queries.ts'
import { tpchLikeStatements } from '../samples/tpch-like.ts'
import { generatePassword, hashPassword } from '../user/passwords.ts'
import type { FirstStartFact, FirstStartStore } from './store.ts'

const ADMINISTRATOR = 'admin'
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** ABC12345: three capital letters and five digits. */
export function newAccountId(): string {
  const letters = Array.from({ length: 3 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return `${letters}${String(randomInt(100_000)).padStart(5, '0')}`
}

export interface FirstStartOptions {
  readonly store: FirstStartStore
  readonly serviceEngine: (accountId: string) => Promise<Engine>
  readonly clock: Clock
  readonly config: { adminPassword: string | undefined; sampleData: boolean; region: string }
}

/** What the terminal shows; the password only while it has not been told. */
export interface Welcome {
  readonly accountId: string
  readonly user: string
  readonly password: string | null
}

/**
 * Makes an empty installation usable: organisation, account, administrator, warehouse, saved queries, sample data.
 * Cut off at any line, the next start goes on where this one stopped.
 */
export function createFirstStart({ store, serviceEngine, clock, config }: FirstStartOptions) {
  async function createDemo(): Promise<FirstStartFact> {
    const fact: FirstStartFact = {
      accountId: newAccountId(),
      user: ADMINISTRATOR,
      samples: config.sampleData ? 'pending' : 'not wanted',
      password: config.adminPassword === undefined ? 'pending' : 'told',
    }
    await store.createDemo({
      accountId: fact.accountId,
      region: config.region,
      user: ADMINISTRATOR,
      passwordHash: await hashPassword(config.adminPassword ?? generatePassword()),
      savedQueries: config.sampleData ? SAVED_QUERIES : [],
      fact,
      at: clock.now(),
    })
    return fact
  }

  async function makeSamples(accountId: string): Promise<void> {
    const engine = await serviceEngine(accountId)
    const session = await engine.openSession({
      catalog: 'default_catalog',
      database: null,
      timeZone: 'UTC',
      variables: {},
    })
    for (const sql of tpchLikeStatements(SAMPLE_DATABASE)) {
      const outcome = await session.execute(sql, {
        takenFor: null,
        maxRows: 1,
        queryId: randomUUID(),
        keep: null,
        profile: false,
      }).outcome
      if (outcome.state !== 'finished')
        throw new Error(
          `The sample data could not be made: ${'error' in outcome ? outcome.error.message : outcome.state}`,
        )
    }
    await session.close()
  }

  /**
   * A password that nobody has seen is made anew, so that a start that was cut off locks nobody out. Null when the
   * operator gave one and so need not be told.
   */
  async function renewPassword(fact: FirstStartFact): Promise<string | null> {
    const password = config.adminPassword ?? generatePassword()
    await store.setPassword(fact.accountId, fact.user, {
      hash: await hashPassword(password),
      at: clock.now(),
    })
    if (config.adminPassword === undefined) return password
    await store.setFact({ ...fact, password: 'told' })
    return null
  }

  return {
    async prepare(): Promise<Welcome> {
      let fact = (await store.fact()) ?? (await createDemo())
      if (fact.samples === 'pending') {
        await makeSamples(fact.accountId)
        fact = { ...fact, samples: 'made' }
        await store.setFact(fact)
      }
      const password = fact.password === 'pending' ? await renewPassword(fact) : null
      return { accountId: fact.accountId, user: fact.user, password }
    },

    /** The password stands on the terminal: it is never shown again. */
    async passwordTold(): Promise<void> {
      const fact = await store.fact()
      if (fact) await store.setFact({ ...fact, password: 'told' })
    },
  }
}

export type FirstStart = ReturnType<typeof createFirstStart>
