import { load, type Upload } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { UploadRefused } from './send-parts.ts'
import { wait } from './upload-file.ts'

const LOOK_MS = 700

/** Has the service fetch a file, and waits until it is there. Who stops waiting stops it. */
export async function fetchFile(
  address: string,
  signal: AbortSignal,
  onProgress: (begun: Upload, of: NonNullable<Upload['fetching']>) => void,
): Promise<Upload> {
  // Not stopped by the signal: what has begun meanwhile has to be dropped by its id.
  let upload = await send(load.fetchUpload, { address }, { silent: true })
  const { uploadId } = upload
  try {
    while (!upload.complete) {
      if (!upload.fetching) throw new UploadRefused(t('load.address.cutOff'))
      onProgress(upload, upload.fetching)
      await wait(LOOK_MS, signal)
      upload = await send(load.upload, { uploadId }, { silent: true, signal })
    }
    signal.throwIfAborted()
    return upload
  } catch (error) {
    if (signal.aborted || error instanceof UploadRefused)
      // Without it the file is gone after a day.
      await send(load.dropUpload, { uploadId }, { silent: true }).catch(() => undefined)
    throw error
  }
}
