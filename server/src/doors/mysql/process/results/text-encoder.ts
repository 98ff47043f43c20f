import type { Column } from '../../../../engines/engine/columns.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { Charset } from '../../link/messages.ts'
import { encodeColumn } from '../wire/charsets.ts'
import { valueTypeOf, wireTypeOf } from '../wire/column-definition.ts'
import type { PacketWriter } from '../wire/packet-writer.ts'
import { writeTextRows } from '../wire/text-rows.ts'
import { mysqlTexts } from './mysql-texts.ts'

/** Writes the rows of a batch as packets. */
export type RowEncoder = (batch: RowBatch, out: PacketWriter) => void

/** Chosen once for a result, so that a value costs no look-ups. */
export type RowForm = (columns: readonly Column[], charset: Charset) => RowEncoder

/** The batch with its values as MySQL writes them, in a character set. */
export function mysqlBatches(columns: readonly Column[], charset: Charset): (batch: RowBatch) => RowBatch {
  const steps = columns.map((column) => {
    const type = valueTypeOf(column)
    return { texts: mysqlTexts(type), isText: wireTypeOf(type).isText }
  })
  return ({ rows, columns: values }) => ({
    rows,
    columns: values.map((column, at) => {
      const { texts = null, isText = false } = steps[at] ?? {}
      const written = texts ? texts(column) : column
      return isText ? encodeColumn(written, charset) : written
    }),
  })
}

/** Rows as COM_QUERY gets them. */
export const textRows: RowForm = (columns, charset) => {
  const converted = mysqlBatches(columns, charset)
  return (batch, out) => writeTextRows(converted(batch), out)
}
