import { type ExportFormat, query } from '@boathouse/contract/query'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
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

/** A file of a kept result: made by the service, then fetched by the browser. */
export function useDownload() {
  const { mutate, reset, isPending, variables, error } = useAction(query.exportResult, { silent: true })
  const start = (queryId: string, format: ExportFormat) =>
    mutate(
      { queryId, format },
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
    /** The one that could not be made, and why. */
    failed:
      error && variables
        ? { format: variables.format, queryId: variables.queryId, message: error.message }
        : null,
    dismiss: reset,
  }
}

export type Download = ReturnType<typeof useDownload>
