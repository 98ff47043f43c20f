import { OutsideRefused } from '../../kernel/outside.ts'
import type { Table } from './table-answers.ts'
import { contentOf } from './table-content.ts'
import { FarTooMuch, MOST_DATABASES, NotAccepted, type TableKeeper, type TableName } from './table-keeper.ts'

export interface KnownTable extends TableName {
  readonly content: ReturnType<typeof contentOf>
  readonly serde: string
}

export interface KnownNames {
  readonly databases: readonly string[]
  /** In the order of their databases and names. */
  readonly tables: readonly KnownTable[]
  readonly ignored: readonly string[]
}

const MOST_TABLES = 1_000
/** Databases whose tables are asked for at the same time. */
export const ASKED_AT_ONCE = 4

export const orderOf = ({ database, name }: TableName): string => `${database}\u001f${name}`

export const knownTable = (database: string, table: Table, { label }: TableKeeper): KnownTable => ({
  database,
  name: table.Name,
  content: contentOf(table, label),
  serde: table.StorageDescriptor?.SerdeInfo?.SerializationLibrary ?? '',
})

/** What it says that it has. */
export async function readNames(keeper: TableKeeper, stop: AbortSignal): Promise<KnownNames> {
  let count = 0

  async function tablesIn(database: string): Promise<KnownTable[]> {
    const found: KnownTable[] = []
    for await (const some of keeper.tables(database, stop)) {
      count += some.length
      if (count > MOST_TABLES) throw new FarTooMuch(`${MOST_TABLES} tables`)
      for (const table of some) found.push(knownTable(database, table, keeper))
    }
    return found
  }

  const databases = await keeper.databases(stop)
  if (databases.length > MOST_DATABASES) throw new FarTooMuch(`${MOST_DATABASES} databases`)

  const ignored: string[] = []
  const refused: OutsideRefused[] = []
  /** A database without access does not hide the others. */
  async function unlessRefused(database: string): Promise<KnownTable[]> {
    try {
      return await tablesIn(database)
    } catch (error) {
      const isOfAll =
        !(error instanceof OutsideRefused) ||
        error instanceof NotAccepted ||
        error instanceof FarTooMuch ||
        error.reason === 'unreachable'
      if (isOfAll) throw error
      refused.push(error)
      ignored.push(`the tables of ${database} are not listed: ${error.message}`)
      return []
    }
  }

  const tables: KnownTable[] = []
  for (let begin = 0; begin < databases.length; begin += ASKED_AT_ONCE) {
    const some = databases.slice(begin, begin + ASKED_AT_ONCE)
    tables.push(...(await Promise.all(some.map(unlessRefused))).flat())
  }
  const [first] = refused
  if (first && refused.length === databases.length) throw first
  if (databases.length === 0) ignored.push(keeper.whenEmpty)
  return {
    databases,
    tables: tables.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
    ignored,
  }
}
