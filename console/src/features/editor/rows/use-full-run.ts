import { editor } from '@boathouse/contract/editor'
import { type ExportFormat, query } from '@boathouse/contract/query'
import { newNonce } from '@boathouse/contract/signature'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'

const ASK_EVERY_MS = 1_000

export interface FullOrder {
  /** The statement of which only the first rows are kept. */
  readonly queryId: string
  readonly format: ExportFormat
}

interface Begun extends FullOrder {
  readonly requestId: string
}

interface Parts {
  /** All rows are kept, under this id. */
  readonly onKept: (queryId: string, order: FullOrder) => void
  readonly onFailed: (order: FullOrder, message: string) => void
}

/** Runs a statement once more for all its rows, which a file is then made of. */
export function useFullRun({ onKept, onFailed }: Parts) {
  const [order, setOrder] = useState<Begun | null>(null)
  const begin = useAction(query.runInFull, { silent: true })
  const kill = useAction(editor.kill)
  const isBegun = order !== null && begin.isSuccess
  const { data, error } = useCall(
    query.fullRunState,
    { requestId: order?.requestId ?? '' },
    { enabled: isBegun, refetchInterval: ASK_EVERY_MS, staleTime: 0, silent: true },
  )
  const state = isBegun ? data : undefined

  const settle = useEffectEvent(() => {
    if (!order || !state || state.state === 'accepted' || state.state === 'running') return
    setOrder(null)
    if (state.state === 'finished') onKept(state.queryId, order)
    else if (state.state !== 'cancelled') onFailed(order, state.error || t('editor.download.notFinished'))
  })
  useEffect(() => settle(), [state])
  const giveUp = useEffectEvent(() => {
    if (!order || error?.codeName !== 'NotFound') return
    setOrder(null)
    onFailed(order, error.message)
  })
  useEffect(() => giveUp(), [error])

  return {
    order,
    /** From 0 to 100; null while it is not known. */
    percent: state?.progress ?? null,
    rows: state?.rows ?? null,
    start: ({ queryId, format }: FullOrder) => {
      const next = { queryId, format, requestId: newNonce() }
      setOrder(next)
      begin.mutate(
        { queryId, requestId: next.requestId },
        {
          onError: (failed) => {
            setOrder(null)
            onFailed(next, failed.message)
          },
        },
      )
    },
    isStopping: kill.isPending,
    stop: () => {
      if (order) kill.mutate({ requestId: order.requestId }, { onSuccess: () => setOrder(null) })
    },
  }
}
