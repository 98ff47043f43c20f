import type { ObjectName } from '../../engine/objects.ts'
import { objectIn } from '../protocol/answer.ts'
import { refused } from '../refused.ts'

/** A table or view that a statement names, or that a view of it names, as Trino's analyzer has found it. */
export interface Reference {
  readonly object: ObjectName
  /** The view that names it; null: the statement itself does. */
  readonly through: ObjectName | null
  /** Columns of it are used. */
  readonly usesColumns: boolean
}

type Fields = Readonly<Record<string, unknown>>

const UNREADABLE = 'The objects of this statement could not be determined, so it did not run.'

/** Closed: what is not understood is not passed over. */
function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw refused('permission', UNREADABLE)
  return value as Fields
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw refused('permission', UNREADABLE)
  return value
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw refused('permission', UNREADABLE)
  return value
}

/** Of the information that a cluster gives about a statement. */
export function referencesIn(info: string): Reference[] {
  return listOf(objectIn(info).referencedTables).map((entry) => referenceOf(fieldsOf(entry)))
}

function referenceOf(entry: Fields): Reference {
  const chain = listOf(entry.referenceChain).map(fieldsOf)
  if (entry.directlyReferenced !== true && chain.length === 0) throw refused('permission', UNREADABLE)
  return {
    object: nameOf(entry, typeof entry.viewText === 'string' ? 'view' : 'table'),
    // The view that names it comes first, and the one that the statement names last.
    through: chain[0] ? viewOf(chain[0]) : null,
    usesColumns: listOf(entry.columns).length > 0,
  }
}

/** Filters of rows and masks of columns are not of this service. */
function viewOf({ catalogName, schemaName, viewName }: Fields): ObjectName {
  return nameOf({ catalog: catalogName, schema: schemaName, table: viewName }, 'view')
}

/** Beside a table lie those that tell of it, as `orders$snapshots`: who may read the table may read them. */
const BESIDE = /\$(?:data|snapshots|history|files|manifests|partitions|properties|refs|entries|all_entries)$/

function nameOf({ catalog, schema, table }: Fields, type: 'table' | 'view'): ObjectName {
  const name = textOf(table)
  return {
    type,
    catalog: textOf(catalog),
    database: textOf(schema),
    name: type === 'table' ? name.replace(BESIDE, '') : name,
  }
}
