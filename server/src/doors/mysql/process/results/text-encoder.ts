import { isAscii } from 'node:buffer'
import type { Column } from '../../../../engines/engine/columns.ts'
import { unpacked } from '../../../../engines/engine/packed-rows.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { Charset } from '../../link/messages.ts'
import { encodeColumn } from '../wire/charsets.ts'
import { valueTypeOf, wireTypeOf } from '../wire/column-definition.ts'
import type { PacketWriter } from '../wire/packet-writer.ts'
import { writeTextRows } from '../wire/text-rows.ts'
import { mysqlTexts, shorterText } from './mysql-texts.ts'
import { isPackedShort, writePackedRows } from './packed-rows.ts'

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
  return (batch) => ({
    rows: batch.rows,
    columns: (batch.packed ? unpacked(batch, columns.length) : batch).columns.map((column, at) => {
      const { texts = null, isText = false } = steps[at] ?? {}
      const written = texts ? texts(column) : column
      return isText ? encodeColumn(written, charset) : written
    }),
  })
}

/** Rows as COM_QUERY gets them. */
export const textRows: RowForm = (columns, charset) => {
  const converted = mysqlBatches(columns, charset)
  const types = columns.map(valueTypeOf)
  const writers = types.map(shorterText)
  const isInPlace = types.every((type, at) => writers[at] !== null || mysqlTexts(type) === null)
  // Plain characters are the same in all of them.
  const isEncoded = ({ packed }: RowBatch) =>
    charset === 'utf8mb4' || (packed !== undefined && isAscii(packed))
  return (batch, out) => {
    if (isInPlace && isPackedShort(batch) && isEncoded(batch)) writePackedRows(batch, writers, out)
    else writeTextRows(converted(batch), out)
  }
}
