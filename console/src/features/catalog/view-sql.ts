import { analyse, lineColumnAt, quoteIdentifier, quoteString } from '@boathouse/sql'
import { t } from '../../i18n/texts.ts'

export interface ViewDraft {
  readonly catalog: string
  readonly database: string
  readonly name: string
  readonly query: string
  readonly comment: string
  /** By the name of the column. */
  readonly columnComments: Readonly<Record<string, string>>
}

/** A text that contains the query, and where that begins in it. */
export interface Around {
  readonly sql: string
  readonly from: number
}

/** The one statement of the text, without what ends it. */
const bare = (query: string): string => {
  const [only] = analyse(query).statements
  return only ? query.slice(only.start, only.end).replace(/[\s;]+$/, '') : query.trim()
}

/** What cannot be a view, checked before the service is asked. */
export function queryProblem(query: string): string | undefined {
  const { statements } = analyse(query)
  if (statements.length === 0) return t('catalog.createView.noQuery')
  if (statements.length > 1) return t('catalog.createView.severalStatements')
  return statements[0]?.kind === 'select' ? undefined : t('catalog.createView.notAQuery')
}

const startOf = (query: string): number => analyse(query).statements[0]?.start ?? 0

/** Gives the columns of the query, and reads no rows. */
export function previewSql(query: string): Around {
  const before = 'SELECT * FROM (\n'
  return { sql: `${before}${bare(query)}\n) AS preview LIMIT 0`, from: before.length - startOf(query) }
}

export function viewSql({ catalog, database, name, query, comment, columnComments }: ViewDraft): Around {
  const path = [catalog, database, name || 'view_name'].map(quoteIdentifier).join('.')
  const before = `CREATE VIEW ${path} AS\n`
  const comments = [
    ...(comment === '' ? [] : [`COMMENT ON VIEW ${path} IS ${quoteString(comment)}`]),
    ...Object.entries(columnComments).flatMap(([column, text]) =>
      text === '' ? [] : [`COMMENT ON COLUMN ${path}.${quoteIdentifier(column)} IS ${quoteString(text)}`],
    ),
  ]
  return {
    sql: `${[`${before}${bare(query)}`, ...comments].join(';\n')};`,
    from: before.length - startOf(query),
  }
}

export interface Failure {
  readonly message: string
  /** In the query as typed; null: not in it. */
  readonly at: number | null
}

/** Where an error of the whole text is in the query. */
export function failureIn(
  query: string,
  { from }: Around,
  failed: { readonly message: string; readonly offset: number | null },
): Failure {
  const at = failed.offset === null ? null : failed.offset - from
  if (at === null || at < 0 || at > query.length) return { message: failed.message, at: null }
  const { line, column } = lineColumnAt(query, at)
  return { message: t('catalog.createView.errorAt', { line, column, message: failed.message }), at }
}
