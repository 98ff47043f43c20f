import {
  type DuckDBType,
  type DuckDBValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBGeometryValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
} from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import { doubleText, singleText } from '../../engine/float-text.ts'
import { bytesText } from '../../engine/value-texts.ts'
import { geometryText } from './geometry-text.ts'
import { nestedValueText } from './nested-text.ts'
import { type TimeZone, dateText, timestampText, timestampTzText } from './temporal-text.ts'

/**
 * The text of a value: what DuckDB's own `CAST(value AS VARCHAR)` gives, and exact where that is not
 * (offsets with seconds, the far ends of TIMESTAMPTZ).
 */
export type ValueText = (value: DuckDBValue) => Cell

/** Chosen once per column, so that a row costs no look-ups. */
export function valueText(type: DuckDBType, zone: TimeZone): ValueText {
  const text = nestedValueText(type, (of) => valueText(of, zone)) ?? scalarText(type, zone)
  return (value) => (value === null ? null : text(value))
}

function scalarText(type: DuckDBType, zone: TimeZone): ValueText {
  if (type.typeId === DuckDBTypeId.FLOAT) return (value) => singleText(Number(value))
  if (type.typeId === DuckDBTypeId.DOUBLE) return (value) => doubleText(Number(value))
  // DuckDB writes no zero where the type has no digit before the point.
  if (type instanceof DuckDBDecimalType && type.width === type.scale)
    return (value) => String(value).replace(/^(-?)0\./, '$1.')
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ)
    return (value) => (value instanceof DuckDBTimestampTZValue ? timestampTzText(value.micros, zone) : null)
  return plainText
}

function plainText(value: DuckDBValue): string {
  if (value instanceof DuckDBDateValue) return dateText(value.days)
  if (value instanceof DuckDBTimestampValue) return timestampText(value.micros, 1_000_000n)
  if (value instanceof DuckDBTimestampSecondsValue) return timestampText(value.seconds, 1n)
  if (value instanceof DuckDBTimestampMillisecondsValue) return timestampText(value.millis, 1_000n)
  if (value instanceof DuckDBTimestampNanosecondsValue) return timestampText(value.nanos, 1_000_000_000n)
  if (value instanceof DuckDBBlobValue) return bytesText(value.bytes)
  if (value instanceof DuckDBGeometryValue) return geometryText(value.bytes)
  return String(value)
}
