import type { ChartSettings, ResultLook } from '@boathouse/contract/editor'

/** The charts of one result in their order, and the place of the one that is shown. */
export interface Charts {
  readonly all: readonly ChartSettings[]
  readonly at: number
}

export function chartsOf(
  shown: ChartSettings,
  { others, at }: { readonly others: readonly ChartSettings[]; readonly at: number },
): Charts {
  const place = Math.min(at, others.length)
  return { all: others.toSpliced(place, 0, shown), at: place }
}

/** As it is kept with the query: the chart that is shown, and the others. */
export function lookOf({ all, at }: Charts): Partial<ResultLook> {
  return { ...all[at], shown: true, otherCharts: all.toSpliced(at, 1), chartAt: at }
}

/** Another chart begins as a copy of the one that is shown, after all others: it often differs in little. */
export const withCopy = ({ all, at }: Charts): Charts => ({
  all: [...all, ...all.slice(at, at + 1)],
  at: all.length,
})

export const without = ({ all, at }: Charts): Charts => ({
  all: all.toSpliced(at, 1),
  at: Math.min(at, all.length - 2),
})

export const withAgain = ({ all }: Charts, chart: ChartSettings, at: number): Charts => ({
  all: all.toSpliced(at, 0, chart),
  at: Math.min(at, all.length),
})
