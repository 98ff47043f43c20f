import { load } from '@boathouse/contract/load'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isCallError, queryKeyOf } from '../../lib/api.ts'
import { type FirstLoad, loadMore, type MoreState, NotLoaded } from './more-file.ts'
import { UploadRefused } from './send-parts.ts'

export interface MoreFile {
  readonly file: File
  readonly now: MoreState
  readonly taskId: string
}

const WAITING: MoreState = { state: 'waiting' }
const DONE = new Set<MoreState['state']>(['loaded', 'failed'])

const isSaid = (error: unknown): error is Error =>
  isCallError(error) || error instanceof UploadRefused || error instanceof NotLoaded

/** Loads files one after another, once the first one is loaded; null: it is not yet. */
export function useMoreFiles(files: readonly File[], first: FirstLoad | null) {
  const [all, setAll] = useState<readonly MoreFile[]>(() =>
    files.map((file) => ({ file, now: WAITING, taskId: crypto.randomUUID() })),
  )
  const queries = useQueryClient()
  /** The list of load tasks has another one, or one that has ended. */
  const listAgain = () => void queries.invalidateQueries({ queryKey: queryKeyOf(load.list) })
  const change = (at: number, part: Partial<MoreFile>) =>
    setAll((before) => before.map((one, place) => (place === at ? { ...one, ...part } : one)))

  async function run(at: number, of: FirstLoad, signal: AbortSignal): Promise<void> {
    const one = all[at]
    if (!one || signal.aborted) return
    const { file, taskId } = one
    const onChange = (now: MoreState) => {
      if (signal.aborted) return
      change(at, { now })
      if (now.state === 'loading') listAgain()
    }
    try {
      const task = await loadMore(file, of, { taskId, signal, onChange })
      listAgain()
      if (task.state === 'finished')
        return change(at, { now: { state: 'loaded', rows: task.rowsLoaded ?? 0 } })
      change(at, { now: { state: 'failed', error: task.error }, taskId: crypto.randomUUID() })
    } catch (error) {
      if (signal.aborted) return
      if (!isSaid(error)) throw error
      change(at, { now: { state: 'failed', error: error.message } })
    }
  }

  const next = all.findIndex(({ now }) => !DONE.has(now.state))
  const start = useEffectEvent((signal: AbortSignal) => {
    if (first) void run(next, first, signal)
  })
  const isStarted = first !== null
  useEffect(() => {
    if (!isStarted || next < 0) return undefined
    const controller = new AbortController()
    queueMicrotask(() => start(controller.signal))
    return () => controller.abort()
  }, [isStarted, next])

  return {
    all,
    isBusy: isStarted && next >= 0,
    again: (at: number) => change(at, { now: WAITING }),
  }
}
