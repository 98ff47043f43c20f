import type { NameCache, NamedThing } from '../text/name-cache.ts'

/** As many as a model can make use of. */
const MOST_TABLES = 30
const MOST_COLUMNS = 60

export interface TableColumns {
  readonly table: string
  readonly columns: readonly NamedThing[]
}

/** The tables of a database, as their reader sees them. Names and types, never rows. */
export async function tablesOf(
  names: NameCache,
  { catalog, database }: { readonly catalog: string; readonly database: string },
): Promise<readonly TableColumns[]> {
  const tables = (await names.tables(catalog, database)).slice(0, MOST_TABLES)
  return Promise.all(
    tables.map(async ({ name }) => ({
      table: name,
      columns: (await names.columns(catalog, database, name)).slice(0, MOST_COLUMNS),
    })),
  )
}

const lineOf = ({ table, columns }: TableColumns): string =>
  `${table} (${columns.map(({ name, detail }) => `${name} ${detail}`.trim()).join(', ')})`

const part = (title: string, text: string): string => (text.trim() === '' ? '' : `${title}:\n${text.trim()}`)

interface Parts {
  readonly question?: string
  readonly sql?: string
  readonly error?: string
  readonly tables?: readonly TableColumns[]
}

/** What is sent, in the order in which somebody would tell it. */
export const composedText = ({ question = '', sql = '', error = '', tables = [] }: Parts): string =>
  [
    part('Question', question),
    part('Statement', sql),
    part('Error', error),
    part('Tables', tables.map(lineOf).join('\n')),
  ]
    .filter(Boolean)
    .join('\n\n')

/** The first fenced block of an answer; null: it has none. */
export const sqlIn = (answer: string): string | null =>
  /```(?:\w+)?\n([^]*?)```/.exec(answer)?.[1]?.trim() || null
