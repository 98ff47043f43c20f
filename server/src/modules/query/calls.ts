import { query, result, resultWork } from '@boathouse/contract'
import type { Cell } from '../../engines/engine/rows.ts'
import { implement } from '../../kernel/implement.ts'
import type { Activity } from './history/activity.ts'
import type { Downloads } from './results/downloads.ts'
import type { History } from './history/history.ts'
import type { FullRuns } from './results/full-runs.ts'
import type { Previews } from './previews.ts'
import type { WorkOverResults } from './results/result-work.ts'
import type { Results } from './results/results.ts'
import type { Sharing } from './results/sharing.ts'
import type { PivotFigures } from '../../results/computing.ts'
import { shortened } from './answers/shortened.ts'

export interface QueryCallParts {
  readonly results: Results
  readonly work: WorkOverResults
  readonly downloads: Downloads
  readonly fullRuns: FullRuns
  readonly previews: Previews
  readonly sharing: Sharing
  readonly history: History
  readonly activity: Activity
}

export const queryCalls = (parts: QueryCallParts) => [
  ...calls(parts),
  ...resultCalls(parts),
  ...workCalls(parts),
]

const calls = ({ results, downloads, fullRuns, previews, history, activity }: QueryCallParts) =>
  implement(query, {
    resultWindow: async (caller, { queryId, ...window }) => {
      const read = await results.window(caller, queryId, window)
      const { columns, totalRows, complete, expiresAt } = read
      const { rows, longCells } = shortened(read.rows)
      return {
        fields: [...columns],
        rows,
        longCells: [...(read.longCells ?? []), ...longCells],
        totalRows,
        complete,
        expiresAt,
      }
    },
    resultCell: (caller, { queryId, ...part }) => results.cell(caller, queryId, part),
    exportResult: (caller, order) => downloads.export(caller, order),
    exportState: ({ actor }, { exportId }) => downloads.state(actor, exportId),
    stopExport: async ({ actor }, { exportId }) => {
      await downloads.stop(actor, exportId)
      return {}
    },
    runInFull: ({ actor }, order) => fullRuns.begin(actor, order),
    fullRunState: ({ actor }, { requestId }) => fullRuns.state(actor, requestId),
    preview: (caller, order) => previews.preview(caller, order),
    history: ({ actor }, page) => history.list(actor, page),
    running: async ({ actor }, { warehouseId }) => ({
      entries: (warehouseId === undefined
        ? await activity.running(actor)
        : await activity.runningIn(actor, warehouseId)
      ).map(({ entry }) => entry),
    }),
    kill: async ({ actor, clientIp }, { queryId }) => ({
      stopped: await activity.kill({ actor, clientIp }, queryId),
    }),
    detail: ({ actor }, { queryId }) => history.detail(actor, queryId),
    plan: ({ actor }, { queryId }) => history.plan(actor, queryId),
    earlierRuns: async ({ actor }, { sql }) => ({ runs: await history.earlierRuns(actor, sql) }),
  })

const resultCalls = ({ results, sharing }: QueryCallParts) =>
  implement(result, {
    arrangedRows: async (caller, order) => {
      const read = await results.arranged(caller, order)
      const { columns, places, shownRows, totalRows, complete, expiresAt } = read
      const { rows, longCells } = shortened(read.rows)
      return {
        fields: [...columns],
        rows,
        longCells: [...(read.longCells ?? []), ...longCells],
        places: [...places],
        shownRows,
        totalRows,
        complete,
        expiresAt,
      }
    },
    share: (caller, { queryId }) => sharing.share(caller, queryId),
    unshare: async (caller, { queryId }) => {
      await sharing.unshare(caller, queryId)
      return {}
    },
    facts: (caller, { queryId }) => sharing.facts(caller, queryId),
  })

const workCalls = ({ work }: QueryCallParts) =>
  implement(resultWork, {
    columnStatistics: async (caller, order) => {
      const { frequent, bins, ...figures } = await work.statistics(caller, order)
      return { ...figures, frequent: [...frequent], bins: [...bins] }
    },
    pivot: async (caller, order) => {
      const { heads, rows, totals, ...counts } = await work.pivot(caller, order)
      return {
        ...counts,
        heads: copied(heads),
        rows: rows.map(({ names, ...figures }) => ({ names: [...names], ...copiedFigures(figures) })),
        totals: copiedFigures(totals),
      }
    },
    compare: async (caller, order) => {
      const { columns, added, removed, changed, ...others } = await work.compare(caller, order)
      return {
        ...others,
        columns: [...columns],
        added: { ...added, rows: copied(added.rows) },
        removed: { ...removed, rows: copied(removed.rows) },
        changed: {
          ...changed,
          rows: changed.rows.map(({ before, now, differs }) => ({
            before: [...before],
            now: [...now],
            differs: [...differs],
          })),
        },
      }
    },
  })

const copied = (rows: readonly (readonly Cell[])[]): Cell[][] => rows.map((row) => [...row])
const copiedFigures = ({ cells, totals }: PivotFigures) => ({ cells: [...cells], totals: [...totals] })
