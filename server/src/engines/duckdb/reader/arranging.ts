import { type DuckDBType, quotedString } from '@duckdb/node-api'
import type { StoredColumn } from '../../../results/form.ts'
import type { Arrangement, CellFilter } from '../../../results/reader.ts'
import { restored, storedType } from '../result-writer/stored-columns.ts'
import { csvText } from './export-text.ts'

/** A column and the type that its values have when they are read. */
export interface ArrangedColumn {
  readonly column: StoredColumn
  readonly type: DuckDBType
}

/** As people sort: a before B, and é beside e. The console sorts what it has at hand in the same way. */
const AS_PEOPLE_SORT = 'COLLATE en'

/** Of whole numbers that no other type holds, which the file has as texts. */
export function largeType(column: StoredColumn): string | null {
  const type = storedType(column)
  if (type.kind !== 'integer') return null
  if (type.bits === null) return 'BIGNUM'
  return type.bits > 64 ? (type.isSigned ? 'HUGEINT' : 'UHUGEINT') : null
}

const isWhole = (column: StoredColumn): boolean => {
  const type = storedType(column)
  return type.kind === 'integer' && type.bits !== null
}

export const textOf = ({ column, type }: ArrangedColumn): string =>
  `CAST(${csvText(column, type)} AS VARCHAR)`

export function numberOf({ column }: ArrangedColumn): string {
  if (!column.isText) return restored(column)
  return `TRY_CAST(${restored(column)} AS ${largeType(column) ?? 'DOUBLE'})`
}

/** By which rows are sorted. */
export function keyOf(arranged: ArrangedColumn): string {
  const { family, isText } = arranged.column
  if (family === 'number') return numberOf(arranged)
  if (family === 'text') return `${textOf(arranged)} ${AS_PEOPLE_SORT}`
  return family === 'temporal' && !isText ? restored(arranged.column) : textOf(arranged)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** As many digits as HUGEINT has for every number of them. */
const WHOLE_NUMBER = /^-?\d{1,38}$/

/** Whole numbers to the digit, all others as near as they are shown. */
function numbersCompared(arranged: ArrangedColumn, sign: string, operand: string): string {
  const value = numberOf(arranged)
  const isLargest = largeType(arranged.column) === 'UHUGEINT'
  if (WHOLE_NUMBER.test(operand) && isWhole(arranged.column) && !isLargest)
    return `${value} ${sign} CAST(${quotedString(operand)} AS HUGEINT)`
  if (/^\d{1,38}$/.test(operand) && isLargest)
    return `${value} ${sign} CAST(${quotedString(operand)} AS UHUGEINT)`
  return `CAST(${value} AS DOUBLE) ${sign} CAST(${quotedString(operand)} AS DOUBLE)`
}

function passes(arranged: ArrangedColumn, filter: CellFilter): string {
  if (filter.kind === 'null') return `${restored(arranged.column)} IS ${filter.isNull ? '' : 'NOT '}NULL`
  const text = textOf(arranged)
  if (filter.kind === 'contains') return `contains(lower(${text}), lower(${quotedString(filter.text)}))`
  const { family } = arranged.column
  const sign = filter.sign === '!=' ? '<>' : filter.sign
  if (family === 'number' && NUMBER.test(filter.operand))
    return numbersCompared(arranged, sign, filter.operand)
  const asPeopleSort = family === 'text' || family === 'number' ? ` ${AS_PEOPLE_SORT}` : ''
  return `${text}${asPeopleSort} ${sign} ${quotedString(filter.operand)}`
}

type Columns = readonly ArrangedColumn[]

/** A condition that rows pass all filters; `true` without any. */
export function passing(filters: Arrangement['filters'], columns: Columns): string {
  const conditions = filters.flatMap(({ column, filter }) =>
    columns[column] ? [`(${passes(columns[column], filter)})`] : [],
  )
  return conditions.join(' AND ') || 'true'
}

/** WHERE and ORDER BY behind a FROM of the file with its row numbers. */
export function arranging({ sort, filters }: Arrangement, columns: Columns): string {
  const sorted = sort && columns[sort.column]
  const key = sorted ? `${keyOf(sorted)} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ` : ''
  return `${filters.length > 0 ? `WHERE ${passing(filters, columns)} ` : ''}ORDER BY ${key}file_row_number`
}
