import { type ExportFormat, query } from '@boathouse/contract/query'
import { newNonce } from '@boathouse/contract/signature'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { pageHosts } from '../../../lib/hosts.ts'
import { notify } from '../../../ui/index.ts'

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

/** A file of a kept result: made by the service, then fetched by the browser. */
export function useDownload() {
  const { mutate, reset, isPending, variables, error } = useAction(query.exportResult, { silent: true })
  const exportId = variables?.exportId ?? ''
  const state = useCall(
    query.exportState,
    { exportId },
    { enabled: isPending, refetchInterval: ASK_EVERY_MS, silent: true },
  )
  const { mutate: stop, isPending: isStopping } = useAction(query.stopExport)
  const start = (queryId: string, format: ExportFormat) =>
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
  return {
    start,
    /** The format that is being made; null when none is. */
    making: isPending ? (variables?.format ?? null) : null,
    /** From 0 to 100; null while it is not known. */
    percent: (isPending && state.data?.percent) || null,
    bytes: (isPending && state.data?.bytes) || 0,
    stop: () => stop({ exportId }),
    isStopping,
    /** The one that could not be made, and why. */
    failed:
      error && variables && error.codeName !== 'Cancelled'
        ? { format: variables.format, queryId: variables.queryId, message: error.message }
        : null,
    dismiss: reset,
  }
}

export type Download = ReturnType<typeof useDownload>
