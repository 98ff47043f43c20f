import type { TableStorage } from '../hive/hive-catalog.ts'
import { MOST_DATABASES, FarTooMuch, type TableKeeper } from '../hive/table-keeper.ts'
import { Databases, OneTable, Partitions, Tables } from './glue-answers.ts'
import { createGlueClient, type GlueParts, LONGEST_ANSWER } from './glue-client.ts'
import { pagesOf } from './pages.ts'

/** The Data Catalog of AWS Glue in one region, asked with the keys to the files of its tables. */
export type GluePlace = Pick<TableStorage, 'region' | 'keys'>

const MOST_PAGES = 100
/** Fewer than Glue would give: a page is parsed on the thread that everybody shares. */
const TABLES_AT_ONCE = 50
const DATABASES_AT_ONCE = 100
/** As Glue gives at most. */
const PARTITIONS_AT_ONCE = 1_000

export function createGlueKeeper(place: GluePlace, parts: GlueParts): TableKeeper {
  const { ask } = createGlueClient(place, parts)
  return {
    label: 'AWS Glue',
    whenEmpty: `AWS Glue has no databases in the region ${place.region} that these credentials may see`,
    longestAnswer: LONGEST_ANSWER,

    async databases(stop) {
      const asked = { MaxResults: DATABASES_AT_ONCE }
      const pages = pagesOf(
        (more) => ask({ action: 'GetDatabases', input: { ...asked, ...more } }, Databases, stop),
        { pages: MOST_PAGES, of: 'databases' },
      )
      const names: string[] = []
      for await (const { DatabaseList: some } of pages) {
        names.push(...some.map(({ Name }) => Name))
        if (names.length > MOST_DATABASES) throw new FarTooMuch(`${MOST_DATABASES} databases`)
      }
      return names
    },

    async *tables(database, stop) {
      const asked = { DatabaseName: database, MaxResults: TABLES_AT_ONCE }
      const pages = pagesOf(
        (more) => ask({ action: 'GetTables', input: { ...asked, ...more } }, Tables, stop),
        { pages: MOST_PAGES, of: 'tables' },
      )
      for await (const { TableList: some } of pages) yield some
    },

    async table({ database, name }, stop) {
      const input = { DatabaseName: database, Name: name }
      return (await ask({ action: 'GetTable', input }, OneTable, stop)).Table
    },

    async *partitions({ database, name }, most, stop) {
      const asked = {
        DatabaseName: database,
        TableName: name,
        ExcludeColumnSchema: true,
        MaxResults: PARTITIONS_AT_ONCE,
      }
      const pages = pagesOf(
        (more) => ask({ action: 'GetPartitions', input: { ...asked, ...more } }, Partitions, stop),
        // A page may hold less than was asked for.
        { pages: most / 10, of: 'partitions' },
      )
      for await (const { Partitions: some } of pages) yield some ?? []
    },
  }
}
