import { LIMITS } from '@boathouse/contract/limits'
import { formatOfName, isSampled, load, type Upload, whyNotLoaded } from '@boathouse/contract/load'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError, send } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { pageHosts } from '../../lib/hosts.ts'
import { sendParts, UploadRefused } from './send-parts.ts'

/** A file on its way to the service. */
export type Uploading =
  | {
      readonly state: 'none'
      readonly refusal?: string
      /** It was not taken, and can be sent once more. */
      readonly failed?: File
    }
  | {
      readonly state: 'sending'
      readonly name: string
      readonly size: number
      readonly sent: number
      readonly isWaiting: boolean
      /** Once so much of its beginning has arrived that its columns can be detected. */
      readonly upload: Upload | null
    }
  | { readonly state: 'there'; readonly upload: Upload }

const NONE: Uploading = { state: 'none' }

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

function whyNot(file: File): string | null {
  if (file.size === 0) return t('load.file.empty')
  if (file.size > LIMITS.uploadBytes)
    return t('load.file.tooLarge', { most: formatBytes(LIMITS.uploadBytes) })
  return whyNotLoaded(file.name)
}

/** Uploads one file at a time; the same file chosen again resumes where it was cut off. */
export function useUpload() {
  const [uploading, setUploading] = useState<Uploading>(NONE)
  const sending = useRef<AbortController | null>(null)
  useEffect(() => () => sending.current?.abort(), [])

  async function run(file: File, { signal }: AbortController): Promise<Uploading> {
    const { name, size } = file
    const fingerprint = String(file.lastModified)
    const begun = await send(
      load.beginUpload,
      { name, sizeBytes: size, fingerprint },
      { silent: true, signal },
    )
    const change = (part: { sent?: number; isWaiting?: boolean; upload?: Upload }) =>
      setUploading((before) =>
        before.state === 'sending' && !signal.aborted ? { ...before, ...part } : before,
      )
    setUploading({ state: 'sending', name, size, sent: 0, isWaiting: false, upload: null })
    const isEarly = isSampled(formatOfName(name) ?? 'csv', { name, sizeBytes: size })
    await sendParts(
      { fetch: (url, init) => globalThis.fetch(url, init), wait },
      {
        file,
        url: pageHosts.regional() + begun.url,
        partBytes: begun.partBytes,
        received: begun.received,
        signal,
        onProgress: (sent, leading) =>
          change({ sent, ...(isEarly && leading >= LIMITS.sampleBytes && { upload: begun }) }),
        onWaiting: (isWaiting) => change({ isWaiting }),
      },
    )
    const upload = await send(load.upload, { uploadId: begun.uploadId }, { silent: true, signal })
    return { state: 'there', upload }
  }

  async function start(file: File): Promise<void> {
    sending.current?.abort()
    const refusal = whyNot(file)
    if (refusal) return setUploading({ state: 'none', refusal })
    const controller = new AbortController()
    sending.current = controller
    setUploading({
      state: 'sending',
      name: file.name,
      size: file.size,
      sent: 0,
      isWaiting: false,
      upload: null,
    })
    try {
      const ended = await run(file, controller)
      if (!controller.signal.aborted) setUploading(ended)
    } catch (error) {
      if (controller.signal.aborted) return
      if (!isCallError(error) && !(error instanceof UploadRefused)) throw error
      setUploading({ state: 'none', refusal: error.message, failed: file })
    }
  }

  return {
    uploading,
    start: (file: File) => void start(file),
    /** What has arrived stays for a day, for when the same file is chosen again. */
    cancel() {
      sending.current?.abort()
      setUploading(NONE)
    },
  }
}
