import { OutsideRefused } from '../../kernel/outside.ts'
import { Databases, type Table, Tables } from './glue-answers.ts'
import type { GlueClient } from './glue-client.ts'
import { FarTooMuch, pagesOf } from './pages.ts'
import { NotAccepted } from './refusals.ts'
import { contentOf } from './table-content.ts'

export interface GlueTable {
  readonly database: string
  readonly name: string
  readonly content: ReturnType<typeof contentOf>
  readonly serde: string
}

export interface GlueNames {
  readonly databases: readonly string[]
  /** In the order of their databases and names. */
  readonly tables: readonly GlueTable[]
  readonly ignored: readonly string[]
}

const MOST = { databases: 1000, tables: 1000, pages: 100 } as const
/** Fewer than Glue would give: a page is parsed on the thread that everybody shares. */
const TABLES_AT_ONCE = 50
const DATABASES_AT_ONCE = 100
/** Databases whose tables are asked for at the same time. */
export const ASKED_AT_ONCE = 4

export const orderOf = ({ database, name }: Pick<GlueTable, 'database' | 'name'>): string =>
  `${database}\u001f${name}`

export const glueTable = (database: string, table: Table): GlueTable => ({
  database,
  name: table.Name,
  content: contentOf(table),
  serde: table.StorageDescriptor?.SerdeInfo?.SerializationLibrary ?? '',
})

/** What Glue says that it has in a region. */
export async function readNames(client: GlueClient, region: string, stop: AbortSignal): Promise<GlueNames> {
  let count = 0

  async function tablesIn(database: string): Promise<GlueTable[]> {
    const found: GlueTable[] = []
    const asked = { DatabaseName: database, MaxResults: TABLES_AT_ONCE }
    const pages = pagesOf(
      (more) => client.ask({ action: 'GetTables', input: { ...asked, ...more } }, Tables, stop),
      {
        pages: MOST.pages,
        of: 'tables',
      },
    )
    for await (const { TableList: some } of pages) {
      count += some.length
      if (count > MOST.tables) throw new FarTooMuch(`${MOST.tables} tables`)
      for (const table of some) found.push(glueTable(database, table))
    }
    return found
  }

  const databases: string[] = []
  const asked = { MaxResults: DATABASES_AT_ONCE }
  const pages = pagesOf(
    (more) => client.ask({ action: 'GetDatabases', input: { ...asked, ...more } }, Databases, stop),
    {
      pages: MOST.pages,
      of: 'databases',
    },
  )
  for await (const { DatabaseList: some } of pages) {
    databases.push(...some.map(({ Name }) => Name))
    if (databases.length > MOST.databases) throw new FarTooMuch(`${MOST.databases} databases`)
  }

  const ignored: string[] = []
  const refused: OutsideRefused[] = []
  /** A database without access does not hide the others. */
  async function unlessRefused(database: string): Promise<GlueTable[]> {
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

  const tables: GlueTable[] = []
  for (let begin = 0; begin < databases.length; begin += ASKED_AT_ONCE) {
    const some = databases.slice(begin, begin + ASKED_AT_ONCE)
    tables.push(...(await Promise.all(some.map(unlessRefused))).flat())
  }
  const [first] = refused
  if (first && refused.length === databases.length) throw first
  if (databases.length === 0)
    ignored.push(`AWS Glue has no databases in the region ${region} that these credentials may see`)
  return {
    databases,
    tables: tables.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
    ignored,
  }
}
