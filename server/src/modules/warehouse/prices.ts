import { WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'

export type Edition = 'lake' | 'standard'

export interface Price {
  /** From the beginning of this day, UTC, until another row takes over. */
  readonly from: string
  /** `*`: every region that has no row of its own. */
  readonly region: string
  readonly edition: Edition
  /** Millionths of a USD for one of what is priced. */
  readonly microUsd: number
}

/** WH-20, book section 4. A new price is a new row: what was used before it keeps the old one. */
const PRICES: readonly Price[] = [
  { from: '2026-01-01', region: '*', edition: 'lake', microUsd: 680_000 },
  { from: '2026-01-01', region: '*', edition: 'standard', microUsd: 1_580_000 },
]

export interface PriceQuestion {
  readonly edition: Edition
  readonly region: string
  readonly at: Date
}

/** The price of a day: of the region itself before that of all regions, the newest before older ones. */
export function priceAt(prices: readonly Price[], { edition, region, at }: PriceQuestion): number {
  const day = at.toISOString().slice(0, 10)
  const [best] = prices
    .filter((price) => price.edition === edition && price.from <= day)
    .filter((price) => price.region === region || price.region === '*')
    .sort((a, b) => Number(b.region === region) - Number(a.region === region) || b.from.localeCompare(a.from))
  if (!best) throw new Error(`There is no price for the ${edition} edition in ${region} on ${day}.`)
  return best.microUsd
}

export const microUsdPerCcu = (question: PriceQuestion, prices = PRICES): number => priceAt(prices, question)

const MILLION = 1_000_000n
const SECONDS_PER_HOUR = 3_600n

const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor / 2n) / divisor

/** Millionths as a decimal number with at least `decimals` places. */
function decimalText(micros: bigint, decimals: number): string {
  const fraction = String(micros % MILLION).padStart(6, '0')
  const needed = fraction.replace(/0+$/, '').padEnd(decimals, '0')
  return `${micros / MILLION}${needed && `.${needed}`}`
}

/** Seconds of a size, weighed by the CCU that an hour of it costs. */
export const ccuSeconds = (size: WarehouseSize, seconds: number): number => WAREHOUSE_SIZES[size] * seconds

/** A price as the store keeps it, in USD with six places. */
export const usdText = (microUsd: number): string => decimalText(BigInt(microUsd), 6)

/** An amount in USD, with at least two places. */
export const usdAmount = (microUsd: bigint): string => decimalText(microUsd, 2)

export const microUsdOf = (usd: string): number => {
  const [whole = '0', fraction = ''] = usd.split('.')
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
}

/** Microseconds, weighed by their size, at one price. */
export interface UsedMicros {
  readonly weighedMicros: bigint
  readonly microUsd: number
}

/** Millionths of a CCU and of a USD. */
interface Micros {
  readonly ccu: bigint
  readonly usd: bigint
}

/** Divided once, at the end, so that sums of rows and sums of costs agree. */
function microsOf(used: readonly UsedMicros[]): Micros {
  const weighed = used.reduce((sum, { weighedMicros }) => sum + weighedMicros, 0n)
  const priced = used.reduce((sum, { weighedMicros, microUsd }) => sum + weighedMicros * BigInt(microUsd), 0n)
  return {
    ccu: roundedQuotient(weighed, SECONDS_PER_HOUR),
    usd: roundedQuotient(priced, SECONDS_PER_HOUR * MILLION),
  }
}

const textOf = ({ ccu, usd }: Micros): Cost => ({ ccu: decimalText(ccu, 0), usd: decimalText(usd, 2) })

export interface Cost {
  readonly ccu: string
  readonly usd: string
}

export const costOfMicros = (used: readonly UsedMicros[]): Cost => textOf(microsOf(used))

/** What of a whole is left beside a part of it: both together are the whole, to the last digit. */
export function restOf(whole: readonly UsedMicros[], part: readonly UsedMicros[]): Cost {
  const [all, taken] = [microsOf(whole), microsOf(part)]
  return textOf({ ccu: all.ccu - taken.ccu, usd: all.usd - taken.usd })
}

/** Seconds, weighed by their size, at one price. */
export interface Used {
  readonly weighedSeconds: number
  readonly microUsd: number
}

export const costOf = (used: readonly Used[]): Cost =>
  costOfMicros(
    used.map(({ weighedSeconds, microUsd }) => ({
      weighedMicros: BigInt(weighedSeconds) * MILLION,
      microUsd,
    })),
  )
