/** A 3600th of a millionth of a USD: a CCU-second at a price in millionths of a USD is a whole number of them. */
export type Units = bigint

export const UNITS_PER_MICRO_USD = 3_600n
const MICRO_USD_PER_CENT = 10_000n
export const UNITS_PER_CENT = MICRO_USD_PER_CENT * UNITS_PER_MICRO_USD

const rounded = (units: Units, divisor: bigint): bigint =>
  (units + (units < 0n ? -divisor : divisor) / 2n) / divisor

/** 12.34 */
export const usdOfCents = (cents: bigint | number): string => {
  const all = BigInt(cents)
  const digits = String(all < 0n ? -all : all).padStart(3, '0')
  return `${all < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const microUsdOfUnits = (units: Units): bigint => rounded(units, UNITS_PER_MICRO_USD)

/** Rounded to the cent for display, by way of six places as other displays are; sums are made of units. */
export const usdOfUnits = (units: Units): string =>
  usdOfCents(rounded(microUsdOfUnits(units), MICRO_USD_PER_CENT))

/** With six places. */
export function usdOfMicros(micros: bigint): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(7, '0')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/**
 * Units as millionths of a USD, so that the parts add up to the whole, to the last place: each is what the sum grows by
 * with it.
 */
export function microUsdOfParts(parts: readonly Units[]): bigint[] {
  let sum = 0n
  return parts.map((units) => {
    const before = microUsdOfUnits(sum)
    sum += units
    return microUsdOfUnits(sum) - before
  })
}
