import { type Kysely, sql, type Transaction } from 'kysely'
import type { EngineOf } from '../../../engines/engine/engine.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import type { Schema } from '../../../store/schema.ts'
import type { AuditEvent } from '../../audit/record.ts'

/** What is recorded of a change once it has taken effect. */
interface ToldChange {
  readonly event: Pick<AuditEvent, 'by' | 'action' | 'object' | 'before' | 'after' | 'statement'>
  /** Who may do what with its objects follows these. */
  readonly follows: readonly ObjectChange[]
}

/** A change that has started. */
export interface NotedChange {
  /** By which its engine remembers that it took effect. */
  readonly id: string
  readonly accountId: string
  readonly begunAt: Date
  /** The kind of engine that remembers it; missing or null: the home engine. */
  readonly engine?: string | null
  readonly told: ToldChange
}

/** Of one engine at a time; the others wait for the next look. */
const MOST = 100

export function createChangeNoteStore(db: Kysely<Schema>) {
  return {
    async insert({ id, accountId, begunAt, engine = null, told }: NotedChange): Promise<void> {
      await db
        .insertInto('catalog_changes')
        .values({
          change_id: id,
          account_id: accountId,
          begun_at: begunAt,
          engine,
          told: JSON.stringify(told),
        })
        .execute()
    },

    /** How many of them were there. */
    async remove(ids: readonly string[], trx: Kysely<Schema> | Transaction<Schema> = db): Promise<number> {
      const { numDeletedRows } = await trx
        .deleteFrom('catalog_changes')
        .where('change_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Those that have such notes. */
    engines: (): Promise<EngineOf[]> =>
      db
        .selectFrom('catalog_changes')
        .select(['account_id as accountId', 'engine'])
        .distinct()
        .limit(MOST)
        .execute(),

    /** In the order in which they were begun. */
    async of({ accountId, engine }: EngineOf): Promise<NotedChange[]> {
      const rows = await db
        .selectFrom('catalog_changes')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('engine', 'is not distinct from', engine)
        .orderBy('change_id')
        .limit(MOST)
        .execute()
      return rows.map(({ change_id, begun_at, told }) => ({
        id: change_id,
        accountId,
        begunAt: begun_at,
        engine,
        told: told as ToldChange,
      }))
    },
  }
}

export type ChangeNoteStore = ReturnType<typeof createChangeNoteStore>
