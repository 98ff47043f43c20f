import type { UsageAmount, WarehouseSize } from '@boathouse/contract'
import { microUsdOfParts, microUsdOfUnits, type Units } from '../../kernel/money.ts'
import { type StoredSum, sumOfStored } from '../storage/service.ts'
import { ccuSeconds, costOf, microUsdOf, usdAmount } from '../warehouse/prices.ts'

interface Sum {
  readonly size: string
  readonly usd_per_ccu: string
  readonly seconds: number
}

export const amountOf = (sums: readonly Sum[]): UsageAmount => ({
  chargedSeconds: sums.reduce((all, { seconds }) => all + seconds, 0),
  ...costOf(
    sums.map(({ size, seconds, usd_per_ccu }) => ({
      weighedSeconds: ccuSeconds(size as WarehouseSize, seconds),
      microUsd: microUsdOf(usd_per_ccu),
    })),
  ),
})

export const unitsOf = (sums: readonly Sum[]): Units =>
  sums.reduce(
    (all, { size, seconds, usd_per_ccu }) =>
      all + BigInt(ccuSeconds(size as WarehouseSize, seconds)) * BigInt(microUsdOf(usd_per_ccu)),
    0n,
  )

export const amountOfStored = ({ units }: { units: string }): UsageAmount => ({
  chargedSeconds: 0,
  ccu: '0',
  usd: usdAmount(microUsdOfUnits(BigInt(units))),
})

/** What a part of a month used: of warehouses, and of storage. */
interface Part<N> {
  readonly name: N
  readonly used: readonly Sum[]
  readonly kept: readonly StoredSum[]
}

/** Compute and storage of the parts add up to the totals, and to the figures beside them, to the last digit. */
export function amountsOf<N>(parts: readonly Part<N>[]) {
  const ofCompute = microUsdOfParts(parts.map(({ used }) => unitsOf(used)))
  const ofStorage = microUsdOfParts(parts.map(({ kept }) => sumOfStored(kept).units))
  return parts.map(({ name, used }, index) => {
    const [compute, stored] = [ofCompute[index] ?? 0n, ofStorage[index] ?? 0n]
    return {
      ...name,
      ...amountOf(used),
      usd: usdAmount(compute),
      storageUsd: usdAmount(stored),
      totalUsd: usdAmount(compute + stored),
    }
  })
}
