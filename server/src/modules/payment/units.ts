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

export interface PricedLine {
  readonly ccuSeconds: number
  readonly balanceCcuSeconds: number
  readonly microUsd: number
  readonly inTrial: boolean
}

export interface Sum {
  readonly usage: Units
  /** Of the trial and of the balance. */
  readonly credit: Units
  readonly dueCents: bigint
  /** The part of a cent that is left for the next invoice. */
  readonly carriedOut: Units
}

/** The only rounding there is: whole cents are due, the rest is carried on. */
export function sumOf(lines: readonly PricedLine[], carriedIn: Units): Sum {
  let usage = 0n
  let credit = 0n
  for (const { ccuSeconds, balanceCcuSeconds, microUsd, inTrial } of lines) {
    usage += unitsOf(ccuSeconds, microUsd)
    credit += unitsOf(inTrial ? ccuSeconds : balanceCcuSeconds, microUsd)
  }
  const due = usage - credit + carriedIn
  return { usage, credit, dueCents: due / UNITS_PER_CENT, carriedOut: due % UNITS_PER_CENT }
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
