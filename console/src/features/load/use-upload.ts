import { LIMITS } from '@boathouse/contract/limits'
import { formatOfName, isSampled, type Upload, whyNotLoaded } from '@boathouse/contract/load'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { UploadRefused } from './send-parts.ts'
import { fetchFile } from './fetch-file.ts'
import { uploadFile } from './upload-file.ts'

/** A file on its way to the service. */
export type Uploading =
  | {
      readonly state: 'none'
      readonly refusal?: string
      /** The first of them was not taken, and can be sent once more. */
      readonly failed?: readonly File[]
    }
  | {
      readonly state: 'sending'
      readonly name: string
      /** Null: the service fetches it, and does not know. */
      readonly size: number | null
      readonly sent: number
      readonly isWaiting: boolean
      /** The service fetches it from an address. */
      readonly isFetched: boolean
      /** Once so much of its beginning has arrived that its columns can be detected. */
      readonly upload: Upload | null
    }
  | { readonly state: 'there'; readonly upload: Upload }

const NONE: Uploading = { state: 'none' }

const isEarlyKnown = (name: string, sizeBytes: number): boolean =>
  isSampled(formatOfName(name) ?? 'csv', { name, sizeBytes })

function whyNot(file: File): string | null {
  if (file.size === 0) return t('load.file.empty')
  if (file.size > LIMITS.uploadBytes)
    return t('load.file.tooLarge', { most: formatBytes(LIMITS.uploadBytes) })
  return whyNotLoaded(file.name)
}

/** Of several, all are looked at before the first is sent. */
function whyNotAll(files: readonly File[]): string | null {
  if (files.length > LIMITS.filesAtOnce) return t('load.file.tooMany', { most: LIMITS.filesAtOnce })
  for (const file of files) {
    const refusal = whyNot(file)
    if (refusal) return files.length > 1 ? `${file.name}: ${refusal}` : refusal
  }
  return null
}

/** Uploads the first of the files that are chosen, by whose preview all are loaded; the same file chosen again resumes where it was cut off. */
export function useUpload() {
  const [uploading, setUploading] = useState<Uploading>(NONE)
  const sending = useRef<AbortController | null>(null)
  useEffect(() => () => sending.current?.abort(), [])

  const changing =
    (signal: AbortSignal) =>
    (part: Partial<Omit<Uploading & { state: 'sending' }, 'state'>>): void =>
      setUploading((before) =>
        before.state === 'sending' && !signal.aborted ? { ...before, ...part } : before,
      )

  async function runFetch(address: string, { signal }: AbortController): Promise<Uploading> {
    const change = changing(signal)
    const upload = await fetchFile(address, signal, (begun, { receivedBytes, isSizeKnown }) => {
      const { name, sizeBytes } = begun
      const isEarly = isSizeKnown && isEarlyKnown(name, sizeBytes)
      const size = isSizeKnown ? sizeBytes : null
      const isThere = isEarly && begun.received.length * begun.partBytes >= LIMITS.sampleBytes
      change({ name, size, sent: receivedBytes, ...(isThere && { upload: begun }) })
    })
    return { state: 'there', upload }
  }

  async function run(file: File, { signal }: AbortController): Promise<Uploading> {
    const { name, size } = file
    const change = changing(signal)
    const isEarly = isEarlyKnown(name, size)
    const upload = await uploadFile(file, {
      signal,
      onProgress: (sent, { leading, begun }) =>
        change({ sent, ...(isEarly && leading >= LIMITS.sampleBytes && { upload: begun }) }),
      onWaiting: (isWaiting) => change({ isWaiting }),
    })
    return { state: 'there', upload }
  }

  async function start(files: readonly File[]): Promise<void> {
    sending.current?.abort()
    const [file] = files
    if (!file) return
    const refusal = whyNotAll(files)
    if (refusal) return setUploading({ state: 'none', refusal })
    const { name, size } = file
    await whole({ name, size, isFetched: false }, (controller) => run(file, controller), { failed: files })
  }

  async function whole(
    of: { readonly name: string; readonly size: number | null; readonly isFetched: boolean },
    work: (controller: AbortController) => Promise<Uploading>,
    again: { readonly failed?: readonly File[] },
  ): Promise<void> {
    const controller = new AbortController()
    sending.current = controller
    setUploading({ state: 'sending', ...of, sent: 0, isWaiting: false, upload: null })
    try {
      const ended = await work(controller)
      if (!controller.signal.aborted) setUploading(ended)
    } catch (error) {
      if (controller.signal.aborted) return
      if (!isCallError(error) && !(error instanceof UploadRefused)) throw error
      setUploading({ state: 'none', refusal: error.message, ...again })
    }
  }

  return {
    uploading,
    start: (files: readonly File[]) => void start(files),
    /** The service fetches it. */
    fetch(address: string) {
      sending.current?.abort()
      const of = { name: t('load.address.looking'), size: null, isFetched: true }
      void whole(of, (controller) => runFetch(address, controller), {})
    },
    /** What has arrived stays for a day, for when the same file is chosen again. */
    cancel() {
      sending.current?.abort()
      setUploading(NONE)
    },
  }
}
