import type { Column } from '../../../engines/engine/columns.ts'
import type { DescribedTable } from '../../../engines/engine/descriptions.ts'
import { numbers, OWN_ENGINE } from '../../query/sessions/own-rows.ts'

export const STATUS_COLUMNS: readonly (string | Column)[] = [
  'Name',
  'Engine',
  numbers('Version'),
  'Row_format',
  numbers('Rows'),
  numbers('Avg_row_length'),
  numbers('Data_length'),
  numbers('Max_data_length'),
  numbers('Index_length'),
  numbers('Data_free'),
  numbers('Auto_increment'),
  'Create_time',
  'Update_time',
  'Check_time',
  'Collation',
  numbers('Checksum'),
  'Create_options',
  'Comment',
]

const UNKNOWN_SIZES = Array.from({ length: 6 }, () => null)
const UNKNOWN_TIMES = [null, null, null]

/** Of a view MySQL says no more than that it is one. */
export function statusRow({ name, type, rows, comment }: DescribedTable): (string | null)[] {
  if (type === 'view')
    return [name, null, null, null, null, ...UNKNOWN_SIZES, ...UNKNOWN_TIMES, null, null, null, 'VIEW']
  const counted = rows === null ? null : String(rows)
  return [
    name,
    OWN_ENGINE,
    '10',
    'Dynamic',
    counted,
    ...UNKNOWN_SIZES,
    ...UNKNOWN_TIMES,
    'utf8mb4_bin',
    null,
    '',
    comment,
  ]
}
