import {
  bindParameters,
  type BoundValues,
  DEFAULT_CATALOG,
  type EditorTab,
  LIMITS,
  type ParameterProblem,
} from '@boathouse/contract'
import { analyse, namedParametersIn } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'

export interface ScheduledText {
  readonly sql: string
  /** JSON; null: it has no parameters. */
  readonly bound_values: string | null
  readonly catalog: string
  readonly database_name: string | null
}

const PROBLEMS: Readonly<Record<ParameterProblem, string>> = {
  missing: 'has no value',
  number: 'is not a number',
  date: 'is not a date',
  order: 'ends before it begins',
}

function valuesFor({ sql, parameters }: Pick<EditorTab, 'sql' | 'parameters'>): BoundValues | null {
  const names = namedParametersIn(sql)
  if (names.length === 0) return null
  const bound = bindParameters(names, parameters)
  if ('values' in bound) return bound.values
  throw new AppError(
    'BadInput',
    `The parameter ${bound.name} ${PROBLEMS[bound.problem]}. Enter it above the text of the query, which remembers it.`,
  )
}

/** What a schedule runs of its query, as it is now. Throws when it cannot run. */
export function scheduledText({ sql, catalog, database, parameters }: EditorTab): ScheduledText {
  if (sql.length > LIMITS.scheduledTextLength)
    throw new AppError(
      'BadInput',
      `A scheduled query has at most ${LIMITS.scheduledTextLength} characters; this one has ${sql.length}.`,
    )
  const { statements } = analyse(sql)
  if (statements.length === 0)
    throw new AppError('BadInput', 'The query has no statement. Write one, then schedule it.')
  const other = statements.find((one) => one.class !== 'reads')
  // Others could change a macro that it calls, and have its user write what they want to see.
  if (other)
    throw new AppError(
      'BadInput',
      `A scheduled query only reads, and ${other.kind.replaceAll('-', ' ').toUpperCase()} does not. To write on a schedule, run SUBMIT TASK … SCHEDULE EVERY (INTERVAL 1 DAY) AS ….`,
    )
  const values = valuesFor({ sql, parameters })
  return {
    sql,
    bound_values: values && JSON.stringify(values),
    catalog: catalog || DEFAULT_CATALOG,
    database_name: database || null,
  }
}
