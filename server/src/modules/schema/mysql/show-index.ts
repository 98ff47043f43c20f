import type { Column } from '../../../engines/engine/columns.ts'
import type { DescribedColumn, DescribedKey } from '../../../engines/engine/descriptions.ts'
import { numbers } from '../../query/sessions/own-rows.ts'

export const INDEX_COLUMNS: readonly (string | Column)[] = [
  'Table',
  numbers('Non_unique'),
  'Key_name',
  numbers('Seq_in_index'),
  'Column_name',
  'Collation',
  numbers('Cardinality'),
  numbers('Sub_part'),
  'Packed',
  'Null',
  'Index_type',
  'Comment',
  'Index_comment',
  'Visible',
  'Expression',
]

/** A row for each column of each key that is an index in MySQL: its clients find primary and unique keys by these. */
export function indexRows(
  table: string,
  columns: readonly DescribedColumn[],
  keys: readonly DescribedKey[],
): (string | null)[][] {
  const nullable = new Set(columns.filter((one) => one.nullable).map(({ name }) => name))
  return keys
    .filter(({ kind }) => kind !== 'foreign')
    .flatMap((key) =>
      key.columns.map((part, at) => {
        const isExpression = part.startsWith('(')
        return [
          table,
          key.kind === 'index' ? '1' : '0',
          key.kind === 'primary' ? 'PRIMARY' : key.name,
          String(at + 1),
          isExpression ? null : part,
          'A',
          null,
          null,
          null,
          nullable.has(part) ? 'YES' : '',
          'BTREE',
          '',
          '',
          'YES',
          isExpression ? part : null,
        ]
      }),
    )
}
