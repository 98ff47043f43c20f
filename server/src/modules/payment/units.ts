/** A 3600th of a millionth of a USD: a CCU-second at a price in millionths of a USD is a whole number of them. */
export type Units = bigint

const UNITS_PER_MICRO_USD = 3_600n
export const UNITS_PER_CENT = 10_000n * UNITS_PER_MICRO_USD

export const unitsOf = (ccuSeconds: number, microUsdPerCcu: number): Units =>
  BigInt(ccuSeconds) * BigInt(microUsdPerCcu)

/** 12.34 */
export const usdOfCents = (cents: bigint | number): string => {
  const all = BigInt(cents)
  const digits = String(all < 0n ? -all : all).padStart(3, '0')
  return `${all < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Rounded to the cent, for reading; sums are made of units. */
export const usdOfUnits = (units: Units): string => usdOfCents((units + UNITS_PER_CENT / 2n) / UNITS_PER_CENT)

/** With three places, as an hour of a warehouse costs less than a cent of a CCU. */
export function ccuText(ccuSeconds: number): string {
  const thousandths = (BigInt(ccuSeconds) * 1_000n + 1_800n) / 3_600n
  const digits = String(thousandths).padStart(4, '0')
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`
}

/**
 * Units as millionths of a USD, so that the parts add up to the whole, to the last place: each is what the sum grows by
 * with it.
 */
export function microUsdOfParts(parts: readonly Units[]): bigint[] {
  const rounded = (units: Units): bigint =>
    (units + (units < 0n ? -UNITS_PER_MICRO_USD : UNITS_PER_MICRO_USD) / 2n) / UNITS_PER_MICRO_USD
  let sum = 0n
  return parts.map((units) => {
    const before = rounded(sum)
    sum += units
    return rounded(sum) - before
  })
}

/** With six places. */
export function usdOfMicros(micros: bigint): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(7, '0')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

export interface PricedLine {
  readonly ccuSeconds: number
  readonly balanceCcuSeconds: number
  readonly microUsd: number
  readonly inTrial: boolean
  readonly storageUnits: Units
}

export interface Sum {
  readonly usage: Units
  /** Of the trial and of the balance. */
  readonly credit: Units
  readonly dueCents: bigint
  /** The part of a cent that is left for the next invoice. */
  readonly carriedOut: Units
}

/** The only rounding there is: whole cents are due, the rest is carried on, and what is less than can be charged. */
export function sumOf(lines: readonly PricedLine[], carriedIn: Units, leastCents = 1): Sum {
  let usage = 0n
  let credit = 0n
  for (const { ccuSeconds, balanceCcuSeconds, microUsd, inTrial, storageUnits } of lines) {
    const all = unitsOf(ccuSeconds, microUsd) + storageUnits
    usage += all
    credit += inTrial ? all : unitsOf(balanceCcuSeconds, microUsd)
  }
  const due = usage - credit + carriedIn
  const cents = due / UNITS_PER_CENT
  const dueCents = cents < BigInt(leastCents) ? 0n : cents
  return { usage, credit, dueCents, carriedOut: due - dueCents * UNITS_PER_CENT }
}

/** The balance pays line by line, in order, what the trial does not. */
export function spendBalance<L extends { ccuSeconds: number; inTrial: boolean }>(
  lines: readonly L[],
  balance: number,
): (L & { balanceCcuSeconds: number })[] {
  let left = balance
  return lines.map((line) => {
    const spent = line.inTrial ? 0 : Math.min(left, line.ccuSeconds)
    left -= spent
    return { ...line, balanceCcuSeconds: spent }
  })
}
