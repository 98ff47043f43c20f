import { systemClock } from '@boathouse/client/clock'
import type { Output } from '@boathouse/contract/call'
import { editor } from '@boathouse/contract/editor'
import { type ExportFormat, query } from '@boathouse/contract/query'
import { newNonce } from '@boathouse/contract/signature'
import { useRef, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isCallError, send, useAction } from '../../../lib/api.ts'

const ASK_EVERY_MS = 1_000

export interface FullOrder {
  /** The statement of which only the first rows are kept. */
  readonly queryId: string
  readonly format: ExportFormat
}

interface Begun extends FullOrder {
  readonly requestId: string
}

type State = Output<typeof query.fullRunState>

interface Parts {
  /** All rows are kept, under this id. */
  readonly onKept: (queryId: string, order: FullOrder) => void
  readonly onFailed: (order: FullOrder, message: string) => void
}

const isUnderWay = ({ state }: State): boolean => state === 'accepted' || state === 'running'

const aWhile = () =>
  new Promise<void>((resolve) => {
    systemClock.setTimeout(resolve, ASK_EVERY_MS)
  })

/** Runs a statement once more for all its rows, which a file is then made of. */
export function useFullRun({ onKept, onFailed }: Parts) {
  const [order, setOrder] = useState<Begun | null>(null)
  const [state, setState] = useState<State | null>(null)
  /** The request that is waited for; another one, or none, when the user has changed their mind. */
  const awaited = useRef<string | null>(null)
  const kill = useAction(editor.kill)
  const forget = () => {
    awaited.current = null
    setOrder(null)
    setState(null)
  }

  async function endOf({ requestId }: Begun): Promise<State | null> {
    while (awaited.current === requestId) {
      const answered = await send(query.fullRunState, { requestId }, { silent: true })
      if (!isUnderWay(answered)) return answered
      setState(answered)
      await aWhile()
    }
    return null
  }

  async function run(next: Begun): Promise<void> {
    const { queryId, requestId } = next
    try {
      await send(query.runInFull, { queryId, requestId }, { silent: true })
      const end = await endOf(next)
      if (end === null || awaited.current !== requestId) return
      forget()
      if (end.state === 'finished') onKept(end.queryId, next)
      else if (end.state !== 'cancelled') onFailed(next, end.error || t('editor.download.notFinished'))
    } catch (error) {
      if (!isCallError(error)) throw error
      if (awaited.current !== requestId) return
      forget()
      onFailed(next, error.message)
    }
  }

  return {
    order,
    /** From 0 to 100; null while it is not known. */
    percent: state?.progress ?? null,
    rows: state?.rows ?? null,
    start: (wanted: FullOrder) => {
      const next = { ...wanted, requestId: newNonce() }
      awaited.current = next.requestId
      setOrder(next)
      void run(next)
    },
    isStopping: kill.isPending,
    stop: () => {
      if (order) kill.mutate({ requestId: order.requestId }, { onSuccess: forget })
    },
  }
}
