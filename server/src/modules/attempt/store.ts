import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface Budget {
  /** This many are free; each further one makes the next wait twice as long. */
  readonly free: number
  readonly longestWaitMs: number
  /** After so long without any it is counted from the beginning. */
  readonly pauseMs: number
}

/** Something that is counted, such as what comes from one address. */
export interface Claim {
  readonly key: string
  readonly budget: Budget
}

const MOST_FORGOTTEN = 10_000

const hashOf = ({ key }: Claim): Buffer => createHash('sha256').update(key).digest()

class Refused extends Error {
  override readonly name = 'Refused'
}

/** One statement: of many at the same moment each sees what the one before has left. False: it must wait. */
async function claimOne(db: Kysely<Schema>, claim: Claim, now: Date): Promise<boolean> {
  const { free, longestWaitMs, pauseMs } = claim.budget
  const wait = sql`make_interval(secs => case
    when before.forget_at <= ${now} or before.made + 1 < ${free}::integer then 0
    else least(${longestWaitMs / 1000}::float8, power(2, least(before.made + 1 - ${free}::integer, 30)))
  end)`
  const { rows } = await sql`
    insert into attempts as before (key_hash, made, next_at, forget_at)
    values (${hashOf(claim)}, 1, ${now}, ${new Date(now.getTime() + pauseMs)})
    on conflict (key_hash) do update set
      made = case when before.forget_at <= ${now} then 1 else before.made + 1 end,
      next_at = ${now}::timestamptz + ${wait},
      forget_at = excluded.forget_at
    where before.next_at <= ${now}
    returning made`.execute(db)
  return rows.length > 0
}

export function createAttemptStore(db: Kysely<Schema>) {
  return {
    /** What is known of each, in their order. Writes nothing. */
    async look(claims: readonly Claim[]) {
      const hashes = claims.map(hashOf)
      const rows = await db
        .selectFrom('attempts')
        .select(['key_hash', 'next_at', 'known_until'])
        .where('key_hash', 'in', hashes)
        .execute()
      return hashes.map((hash) => rows.find((row) => hash.equals(row.key_hash)))
    },

    /** All of them or none; always in the same order, so that two never wait for each other. */
    async claim(claims: readonly Claim[], now: Date): Promise<boolean> {
      try {
        await db.transaction().execute(async (transaction) => {
          for (const claim of claims) if (!(await claimOne(transaction, claim, now))) throw new Refused()
        })
        return true
      } catch (error) {
        if (error instanceof Refused) return false
        throw error
      }
    },

    giveBack: (claim: Claim, now: Date) =>
      db
        .updateTable('attempts')
        .set({ made: sql`greatest(made - 1, 0)`, next_at: sql`least(next_at, ${now})` })
        .where('key_hash', '=', hashOf(claim))
        .execute(),

    know: (claim: Claim, now: Date, until: Date) =>
      db
        .updateTable('attempts')
        .set({ made: 0, next_at: now, known_until: until })
        .where('key_hash', '=', hashOf(claim))
        .execute(),

    forget: (now: Date) =>
      db
        .deleteFrom('attempts')
        .where('key_hash', 'in', (old) =>
          old
            .selectFrom('attempts')
            .select('key_hash')
            .where('forget_at', '<', now)
            .where((row) => row.or([row('known_until', 'is', null), row('known_until', '<', now)]))
            .limit(MOST_FORGOTTEN),
        )
        .execute(),
  }
}
