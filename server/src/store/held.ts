import { sql } from 'kysely'

/** To be selected of an account's rows: how many there are, and how many of these of one user. */
export const heldBy = (userId: string, column: 'user_id' | 'owner_id' = 'user_id') => [
  sql<number>`count(*)::int`.as('ofAccount'),
  sql<number>`(count(*) filter (where ${sql.ref(column)} = ${userId}))::int`.as('ofUser'),
]
