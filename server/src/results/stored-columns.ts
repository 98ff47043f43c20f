import type { Column, ValueType } from '../engines/engine/columns.ts'
import type { StoredColumn } from './form.ts'

const INTEGERS: Readonly<Record<number, string>> = {
  8: 'TINYINT',
  16: 'SMALLINT',
  32: 'INTEGER',
  64: 'BIGINT',
  128: 'HUGEINT',
}

/** The reader's name of a type whose values it shows as every engine does; null: their text is all that is kept. */
function readAs(type: ValueType | undefined): string | null {
  if (type?.kind === 'boolean') return 'BOOLEAN'
  if (type?.kind === 'text') return 'VARCHAR'
  if (type?.kind === 'integer') {
    const name = INTEGERS[type.bits ?? 0]
    return name ? `${type.isSigned ? '' : 'U'}${name}` : null
  }
  // Where there is no digit before the point, not everyone writes the zero.
  if (type?.kind === 'decimal' && type.precision > type.scale && type.precision <= 38)
    return `DECIMAL(${type.precision},${type.scale})`
  return null
}

/** How columns of any engine lie in a file whose values are texts. */
export function storedColumns(columns: readonly Column[]): StoredColumn[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const type = readAs(column.valueType)
    return {
      ...column,
      field: unusedField(column.name, taken),
      readAs: type ?? 'VARCHAR',
      isText: type === null,
    }
  })
}

/** No two in a file are the same, and the reader gives it one of its own by the first of these names. */
function unusedField(name: string, taken: Set<string>): string {
  let field = name
  for (let at = 1; taken.has(field.toLowerCase()) || /^(?:file_row_number|)$/i.test(field); at++)
    field = `${name}_${at}`
  taken.add(field.toLowerCase())
  return field
}
