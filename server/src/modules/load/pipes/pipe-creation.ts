import { LIMITS, objectOf } from '@boathouse/contract'
import type { AccessObject } from '@boathouse/contract'
import type { PipeInsert, PipeProperties } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { requireShare } from '../../../kernel/share.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Authority } from '../../access/authority.ts'
import { userAuthor } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import { labelOf, readSource, streamOptionsOf } from './pipe-definition.ts'
import { settingsWith } from './pipe-properties.ts'
import type { PipeRow } from './pipe-row.ts'
import type { PipePlace, PipeStore } from './pipe-store.ts'
import type { Sources } from './sources.ts'

export type Who = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

export interface PipeCreationParts {
  readonly store: PipeStore
  readonly sources: Pick<Sources, 'find'>
  readonly authority: Pick<Authority, 'require'>
  /** Under its true name; null where there is none. */
  readonly resolve: (actor: Actor, object: AccessObject) => Promise<AccessObject | null>
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly { warehouse_id: string; name: string }[]>
  }
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
}

export interface NewPipe {
  readonly place: PipePlace
  readonly name: string
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  readonly insert: Omit<PipeInsert, 'table'>
  readonly properties: PipeProperties
  /** The text of the INSERT. */
  readonly text: string
  /** One of this name is dropped in the same moment. */
  readonly replaces: boolean
}

const SHARE = {
  mostOfAccount: LIMITS.pipesPerAccount,
  mostOfUser: LIMITS.pipesPerUser,
  what: 'pipes',
  how: 'Drop one that is no longer needed.',
}

const LONGEST_STATEMENT = 16_384
/** Characters of its text in the audit log. */
const AUDITED_TEXT = 2_000

/** Makes pipes, for who may read the files and insert into the table. */
export function createPipeCreation(parts: PipeCreationParts) {
  const { store, sources, authority, resolve, warehouses, transaction, clock } = parts

  async function requireTable(actor: Actor, table: NewPipe['table']): Promise<NewPipe['table']> {
    const named = objectOf('table', table)
    const found = await resolve(actor, named)
    // Who may not insert does not learn whether there is such a table.
    await authority.require(actor, { privilege: 'INSERT', object: found ?? named })
    if (!found)
      throw new AppError('NotFound', `There is no table ${table.database}.${table.name}. Create it first.`)
    return { catalog: found.catalog, database: found.database, name: found.name }
  }

  async function requireDatabase(actor: Actor, { catalog, database }: PipePlace): Promise<PipePlace> {
    const found = await resolve(actor, objectOf('database', { catalog, database }))
    if (!found) throw new AppError('NotFound', `There is no database ${database}.`)
    return { catalog: found.catalog, database: found.database }
  }

  async function requireWarehouse(actor: Actor, name: string): Promise<void> {
    const isThere = (await warehouses.list(actor)).some(
      (one) => one.name.toLowerCase() === name.toLowerCase(),
    )
    if (name !== '' && !isThere)
      throw new AppError('BadInput', `warehouse: There is no warehouse ${name} that you may use.`)
  }

  /** Everything that would keep it from loading, judged before it is kept. */
  async function judged(actor: Actor, asked: NewPipe): Promise<PipeRow> {
    const { accountId, userId, user } = actor
    if (asked.name.length > LIMITS.identifierLength)
      throw new AppError('BadInput', `A name has at most ${LIMITS.identifierLength} characters.`)
    if (asked.text.length > LONGEST_STATEMENT)
      throw new AppError('BadInput', `The statement of a pipe has at most ${LONGEST_STATEMENT} characters.`)
    const source = readSource(asked.insert)
    const properties = settingsWith({}, asked.properties)
    const now = clock.now()
    const pipe_id = timeOrderedId()
    const label = labelOf({ pipe_id, name: asked.name }, { path: source.path, version: '' })
    streamOptionsOf(source, properties, { path: source.path, label })
    await sources.find(actor, source.path)
    const table = await requireTable(actor, asked.table)
    const place = await requireDatabase(actor, asked.place)
    await requireWarehouse(actor, properties.warehouse)
    return {
      pipe_id,
      account_id: accountId,
      catalog: place.catalog,
      database_name: place.database,
      name: asked.name,
      user_id: userId,
      user_name: user,
      table_catalog: table.catalog,
      table_database: table.database,
      table_name: table.name,
      statement: asked.text,
      source,
      properties,
      state: 'running',
      reason: '',
      last_error: '',
      next_poll_at: now,
      listed_at: null,
      created_at: now,
    }
  }

  return {
    requireWarehouse,

    /** `replaced` is one of this name that the actor may drop. */
    async create(who: Who, asked: NewPipe, replaced: PipeRow | undefined): Promise<PipeRow> {
      const row = await judged(who.actor, asked)
      const { account_id: accountId, user_id: userId } = row
      await transaction(async (trx) => {
        if (replaced) await store.remove(trx, replaced.pipe_id)
        requireShare(await store.countAlone(trx, accountId, userId), SHARE)
        if (!(await store.insert(trx, row)))
          throw new AppError(
            'NameTaken',
            `The pipe ${row.name} already exists in ${row.database_name}. Drop it first, or choose another name.`,
          )
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(who),
          action: replaced ? 'pipe.replace' : 'pipe.create',
          object: { type: 'pipe', id: row.pipe_id, name: row.name },
          before: replaced ? { name: replaced.name, pipe: replaced.pipe_id } : null,
          after: {
            name: row.name,
            table: [row.table_catalog, row.table_database, row.table_name].join('.'),
            path: row.source.path,
            statement: row.statement.slice(0, AUDITED_TEXT),
          },
        })
      })
      return row
    },
  }
}
