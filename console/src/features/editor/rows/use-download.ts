import { type ExportFormat, query } from '@boathouse/contract/query'
import { newNonce } from '@boathouse/contract/signature'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { pageHosts } from '../../../lib/hosts.ts'
import { notify } from '../../../ui/index.ts'
import { useFullRun } from './use-full-run.ts'

/** A click of a link, which the browser takes as its own download; the page stays where it is. */
function follow(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = new URL(url, pageHosts.regional()).href
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
}

const ASK_EVERY_MS = 1_000

interface Failed {
  readonly format: ExportFormat
  readonly queryId: string
  readonly isFull: boolean
  readonly message: string
}

/** A file of a kept result: made by the service, then fetched by the browser. */
export function useDownload() {
  const [notRun, setNotRun] = useState<Failed | null>(null)
  /** The statement on the screen, where the file is of another run of it. */
  const [fullOf, setFullOf] = useState<string | null>(null)
  const { mutate, reset, isPending, variables, error } = useAction(query.exportResult, { silent: true })
  const exportId = variables?.exportId ?? ''
  const state = useCall(
    query.exportState,
    { exportId },
    { enabled: isPending, refetchInterval: ASK_EVERY_MS, silent: true },
  )
  const { mutate: stop, isPending: isStopping } = useAction(query.stopExport)
  const make = (queryId: string, format: ExportFormat) =>
    mutate(
      { queryId, format, exportId: newNonce() },
      {
        onSuccess: ({ url, fileName, sizeBytes }) => {
          follow(url, fileName)
          notify({
            tone: 'ok',
            message: t('editor.download.started', { fileName, size: formatBytes(sizeBytes) }),
          })
        },
      },
    )
  const full = useFullRun({
    onKept: (queryId, { format }) => make(queryId, format),
    onFailed: (order, message) => setNotRun({ ...order, isFull: true, message }),
  })
  const dismiss = () => {
    reset()
    setNotRun(null)
  }
  const notMade: Failed | null =
    error && variables && error.codeName !== 'Cancelled'
      ? {
          format: variables.format,
          queryId: fullOf ?? variables.queryId,
          isFull: fullOf !== null,
          message: error.message,
        }
      : null
  return {
    start: (queryId: string, format: ExportFormat, isFull = false) => {
      dismiss()
      setFullOf(isFull ? queryId : null)
      if (isFull) full.start({ queryId, format })
      else make(queryId, format)
    },
    /** The format that is being made; null when none is. */
    making: full.order?.format ?? (isPending ? (variables?.format ?? null) : null),
    /** The statement runs once more, for all its rows. */
    isRunning: full.order !== null,
    /** From 0 to 100; null while it is not known. */
    percent: full.order ? full.percent : (isPending && state.data?.percent) || null,
    bytes: (isPending && state.data?.bytes) || 0,
    /** Read so far by the statement that runs. */
    rows: full.order ? full.rows : null,
    stop: () => (full.order ? full.stop() : stop({ exportId })),
    isStopping: isStopping || full.isStopping,
    /** The one that could not be made, and why. */
    failed: notRun ?? notMade,
    dismiss,
  }
}

export type Download = ReturnType<typeof useDownload>
