import { load, type Upload } from '@boathouse/contract/load'
import { send } from '../../lib/api.ts'
import { pageHosts } from '../../lib/hosts.ts'
import { sendParts } from './send-parts.ts'

interface Sending {
  readonly signal: AbortSignal
  /** Bytes that have arrived, and how many of them are the beginning of the file. */
  readonly onProgress: (sent: number, of: { readonly leading: number; readonly begun: Upload }) => void
  /** True while nothing comes through. */
  readonly onWaiting: (isWaiting: boolean) => void
}

export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })

/** Sends a file to the service; one that was cut off is resumed. */
export async function uploadFile(file: File, { signal, onProgress, onWaiting }: Sending): Promise<Upload> {
  const { name, size } = file
  const fingerprint = String(file.lastModified)
  const begun = await send(load.beginUpload, { name, sizeBytes: size, fingerprint }, { silent: true, signal })
  await sendParts(
    { fetch: (url, init) => globalThis.fetch(url, init), wait },
    {
      file,
      url: pageHosts.regional() + begun.url,
      partBytes: begun.partBytes,
      received: begun.received,
      signal,
      onProgress: (sent, leading) => onProgress(sent, { leading, begun }),
      onWaiting,
    },
  )
  return send(load.upload, { uploadId: begun.uploadId }, { silent: true, signal })
}
