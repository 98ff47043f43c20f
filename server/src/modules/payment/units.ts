import { UNITS_PER_CENT, type Units } from '../../kernel/money.ts'

const BASIS_POINTS = 10_000n

export const unitsOf = (ccuSeconds: number, microUsdPerCcu: number): Units =>
  BigInt(ccuSeconds) * BigInt(microUsdPerCcu)

/** What a discount takes off; a part of a unit is paid. */
const discountOf = (units: Units, basisPoints: number): Units => (units * BigInt(basisPoints)) / BASIS_POINTS

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
  readonly storageUnits: Units
  readonly discountBasisPoints: number
}

export interface Sum {
  readonly usage: Units
  readonly discount: Units
  /** Of the trial and of the balance. */
  readonly credit: Units
  readonly dueCents: bigint
  /** The part of a cent that is left for the next invoice. */
  readonly carriedOut: Units
}

const usageOfLine = ({ ccuSeconds, microUsd, storageUnits }: PricedLine): Units =>
  unitsOf(ccuSeconds, microUsd) + storageUnits

/** What is free has no discount. */
export const discountOfLine = (line: PricedLine): Units =>
  line.inTrial ? 0n : discountOf(usageOfLine(line), line.discountBasisPoints)

/** A CCU of the balance pays for a CCU, whatever it costs then. */
function creditOfLine(line: PricedLine): Units {
  if (line.inTrial) return usageOfLine(line)
  const paid = unitsOf(line.balanceCcuSeconds, line.microUsd)
  return paid - discountOf(paid, line.discountBasisPoints)
}

/** The only rounding there is: whole cents are due, the rest is carried on, and what is less than can be charged. */
export function sumOf(lines: readonly PricedLine[], carriedIn: Units, leastCents = 1): Sum {
  const sum = (of: (line: PricedLine) => Units): Units => lines.reduce((all, line) => all + of(line), 0n)
  const usage = sum(usageOfLine)
  const discount = sum(discountOfLine)
  const credit = sum(creditOfLine)
  const due = usage - discount - credit + carriedIn
  const cents = due / UNITS_PER_CENT
  const dueCents = cents < BigInt(leastCents) ? 0n : cents
  return { usage, discount, credit, dueCents, carriedOut: due - dueCents * UNITS_PER_CENT }
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
