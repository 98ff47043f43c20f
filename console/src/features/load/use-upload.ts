import { LIMITS } from '@boathouse/contract/limits'
import { formatOfName, isSampled, type Upload, whyNotLoaded } from '@boathouse/contract/load'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { UploadRefused } from './send-parts.ts'
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
      readonly size: number
      readonly sent: number
      readonly isWaiting: boolean
      /** Once so much of its beginning has arrived that its columns can be detected. */
      readonly upload: Upload | null
    }
  | { readonly state: 'there'; readonly upload: Upload }

const NONE: Uploading = { state: 'none' }

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

  async function run(file: File, { signal }: AbortController): Promise<Uploading> {
    const { name, size } = file
    const change = (part: { sent?: number; isWaiting?: boolean; upload?: Upload }) =>
      setUploading((before) =>
        before.state === 'sending' && !signal.aborted ? { ...before, ...part } : before,
      )
    const isEarly = isSampled(formatOfName(name) ?? 'csv', { name, sizeBytes: size })
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
      setUploading({ state: 'none', refusal: error.message, failed: files })
    }
  }

  return {
    uploading,
    start: (files: readonly File[]) => void start(files),
    /** What has arrived stays for a day, for when the same file is chosen again. */
    cancel() {
      sending.current?.abort()
      setUploading(NONE)
    },
  }
}
