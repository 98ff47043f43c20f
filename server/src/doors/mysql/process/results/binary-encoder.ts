import { valueTypeOf, wireTypeOf } from '../wire/column-definition.ts'
import { binaryRowWriter } from '../wire/binary-rows.ts'
import { type RowForm, mysqlBatches } from './text-encoder.ts'

/** Rows as prepared statements get them. */
export const binaryRows: RowForm = (columns, charset) => {
  const converted = mysqlBatches(columns, charset)
  const write = binaryRowWriter(columns.map((column) => wireTypeOf(valueTypeOf(column))))
  return (batch, out) => write(converted(batch), out, { from: 0, to: batch.rows })
}
