import { isSameName, type NewTable } from '@boathouse/contract'
import type { TableStatements } from '../../../engines/engine/descriptions.ts'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { WantedObject } from '../objects/place-of.ts'
import { withObject } from '../objects/with-object.ts'
import type { Who } from './apply-change.ts'
import { findDatabase, requireFree } from './change-run.ts'
import { accessToDatabase, auditedObject, byActor, type Changing, requireUnused } from './changing.ts'

const notForMaterialized = (what: string) =>
  new AppError(
    'Conflict',
    `A materialized view ${what}: its table is recreated with each refresh. Drop it and create another one.`,
  )

/** Of a new table and its columns. */
const commentsOn = (
  { comment: commentOn }: TableStatements,
  place: ObjectPlace,
  { comment, columns }: NewTable,
): string[] => [
  ...(comment === '' ? [] : [commentOn(place, comment, null)]),
  ...columns.flatMap((column) =>
    column.comment === '' ? [] : [commentOn(place, column.comment, column.name)],
  ),
]

export async function createTable(changing: Changing, who: Who, table: NewTable): Promise<void> {
  const { actor } = who
  const { tableName, columns } = table
  await changing.look(actor, async (looking) => {
    const database = await findDatabase(looking, { catalog: table.catalog, database: table.databaseName })
    const object = accessToDatabase(database)
    await changing.authority.require(actor, { privilege: 'CREATE TABLE', object })
    await requireFree(looking, database, tableName)
    const place = { type: 'table', ...database, name: tableName } as const
    const words = looking.statements()
    const { statements, denied } = byActor(changing, actor, words.createTable(place, columns))
    const comments = commentsOn(words, place, table)
    await changing.apply(who, looking, {
      // The creator holds every privilege on the table once it is there. Until then nobody has granted them.
      statements: [...statements, ...comments.map((sql) => ({ sql, authorize: 'all' as const }))],
      denied,
      place,
      follows: [{ change: 'created', object: place }],
      audit: {
        action: 'table.create',
        object: auditedObject(place),
        before: null,
        after: { name: tableName, columns: columns.length },
      },
    })
  })
}

export async function dropObject(
  changing: Changing,
  who: Who,
  { wanted, evenIfUsed }: { readonly wanted: WantedObject; readonly evenIfUsed: boolean },
): Promise<void> {
  const { actor } = who
  await withObject(changing, { actor, wanted }, async ({ kind, place, access }, looking) => {
    await changing.authority.require(actor, { privilege: 'DROP', object: access })
    if (!evenIfUsed) await requireUnused(changing, actor, { looking, place })
    if (kind === 'materialized_view') return changing.materialized.drop(who, place)
    await changing.apply(who, looking, {
      ...byActor(changing, actor, looking.statements().drop(place)),
      place,
      follows: [{ change: 'dropped', object: place }],
      audit: {
        action: `${place.type}.drop`,
        object: auditedObject(place),
        before: { name: place.name },
        after: null,
      },
    })
  })
}

export interface Renaming {
  readonly wanted: WantedObject
  readonly newName: string
  readonly evenIfUsed: boolean
}

export async function renameObject(
  changing: Changing,
  who: Who,
  { wanted, newName, evenIfUsed }: Renaming,
): Promise<void> {
  const { actor } = who
  await withObject(changing, { actor, wanted }, async ({ kind, place, access }, looking) => {
    await changing.authority.require(actor, { privilege: 'ALTER', object: access })
    if (!isSameName(newName, place.name)) await requireFree(looking, place, newName)
    if (!evenIfUsed) await requireUnused(changing, actor, { looking, place })
    if (kind === 'materialized_view') return changing.materialized.rename(who, place, newName)
    await changing.apply(who, looking, {
      ...byActor(changing, actor, looking.statements().rename(place, newName)),
      place,
      follows: [{ change: 'renamed', object: place, to: { ...place, name: newName } }],
      audit: {
        action: `${place.type}.rename`,
        object: auditedObject(place),
        before: { name: place.name },
        after: { name: newName },
      },
    })
  })
}

export interface Commenting {
  readonly wanted: WantedObject
  readonly comment: string
  readonly column?: string | undefined
}

export async function commentOnObject(
  changing: Changing,
  who: Who,
  { wanted, comment, column }: Commenting,
): Promise<void> {
  const { actor } = who
  await withObject(changing, { actor, wanted }, async ({ kind, place, access }, looking) => {
    await changing.authority.require(actor, { privilege: 'ALTER', object: access })
    if (kind === 'materialized_view') {
      if (column !== undefined) throw notForMaterialized('has no comments on its columns')
      return changing.materialized.comment(who, place, comment)
    }
    await changing.apply(who, looking, {
      ...byActor(changing, actor, looking.statements().comment(place, comment, column ?? null)),
      place,
      audit: {
        action: `${place.type}.comment`,
        object: auditedObject(place),
        before: null,
        after: { comment, ...(column === undefined ? {} : { column }) },
      },
    })
  })
}
