import { BIGINT, type DuckDBConnection, LIST, VARCHAR, listValue } from '@duckdb/node-api'
import type { TimeZone } from './temporal-text.ts'

const MICROS = 1_000_000n
const SECONDS_IN_400_YEARS = 146_097n * 86_400n
// A day short of the furthest instant of DuckDB, so that its local time is one too.
const FURTHEST = 9_223_372_036_854n - 86_400n

const OFFSETS = `SELECT epoch_us(timezone($1, make_timestamptz(s * ${MICROS}))) // ${MICROS} - s FROM (SELECT unnest($2) AS s)`

/**
 * How far local time is from UTC, by the engine's own time zone data: that of this process may be another. Values are
 * made to text one by one and the engine is asked for many at once, so that they are gone through twice: what is not
 * known the first time is learnt in between.
 */
export class ZoneOffsets implements TimeZone {
  private readonly known = new Map<bigint, number>()
  private readonly missing = new Set<bigint>()

  constructor(
    private readonly name: string,
    private readonly connection: DuckDBConnection,
  ) {}

  get isUtc(): boolean {
    return this.name === 'UTC' || this.name === 'Etc/UTC'
  }

  offsetSeconds(micros: bigint): number {
    if (this.isUtc) return 0
    const second = withinReach((micros - (((micros % MICROS) + MICROS) % MICROS)) / MICROS)
    const offset = this.known.get(second)
    if (offset === undefined) this.missing.add(second)
    return offset ?? 0
  }

  /** Of all that was asked for in vain. */
  async learn(): Promise<void> {
    if (this.missing.size === 0) return
    const seconds = [...this.missing]
    this.missing.clear()
    const values = [this.name, listValue(seconds)]
    const found = await this.connection.runAndReadAll(OFFSETS, values, [VARCHAR, LIST(BIGINT)])
    for (const [at, [offset]] of found.getRows().entries()) this.known.set(seconds[at] ?? 0n, Number(offset))
  }
}

/** After 400 years the calendar repeats, with its days of the week and hence its summer times. */
function withinReach(second: bigint): bigint {
  if (second > FURTHEST) return second - SECONDS_IN_400_YEARS
  return second < -FURTHEST ? second + SECONDS_IN_400_YEARS : second
}
