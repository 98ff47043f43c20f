import { requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import { createPartLocks } from './part-locks.ts'
import type { UploadRow } from './upload-store.ts'
import { UPLOAD_MS, hashCode, noUpload, partsIn, placeOf } from './upload-row.ts'
import type { UploadParts } from './uploads.ts'

/** A part on its way. */
export interface ArrivingPart {
  readonly part: number
  /** As it is announced; null when it is not. */
  readonly bytes: number | null
  readonly body: AsyncIterable<Buffer> & { destroy(): unknown }
  readonly clientIp: string
}

/** What must have arrived as this part; null when the file has no such part. */
function bytesOfPart({ size_bytes, part_bytes }: UploadRow, part: number): number | null {
  const offset = part * part_bytes
  return offset < size_bytes ? Math.min(part_bytes, size_bytes - offset) : null
}

/** Receives the parts of files, in any order. */
export function createArrivingParts({
  store,
  files,
  actorOf,
  requireLetIn,
  clock,
}: Pick<UploadParts, 'store' | 'files' | 'actorOf' | 'requireLetIn' | 'clock'>) {
  const locks = createPartLocks()

  async function byCode(code: string, clientIp: string): Promise<UploadRow> {
    const row = await store.findByCode(hashCode(code))
    if (!row || row.expires_at <= clock.now()) throw noUpload()
    const owner = await actorOf(row.user_id)
    if (!owner) throw noUpload()
    await requireLetIn({ ...owner, clientIp })
    requireOpenAccount(owner.accountState)
    return row
  }

  async function write(row: UploadRow, { part, bytes, body }: ArrivingPart): Promise<void> {
    const expected = bytesOfPart(row, part)
    if (expected === null)
      throw new AppError(
        'BadInput',
        `The file has ${partsIn(row)} parts, starting at 0. There is no part ${part}.`,
      )
    if (bytes !== null && bytes !== expected)
      throw new AppError(
        'BadInput',
        `Part ${part} of this file has ${expected} bytes; ${bytes} were announced.`,
      )
    const offset = part * row.part_bytes
    const written = await files
      .write(placeOf(row), { offset, most: expected, from: body })
      .catch((error: unknown) => {
        throw isDiskFull(error) ? diskFull(error) : error
      })
    if (written !== expected)
      throw new AppError(
        'BadInput',
        `Part ${part} of this file has ${expected} bytes; ${written} arrived. Send it again.`,
      )
    await store.addPart(row.upload_id, part, clock.now())
    await store.renew(row.upload_id, { expires_at: new Date(clock.now().getTime() + UPLOAD_MS) })
  }

  return {
    /** A part in any order. One that is there already is left as it is; of two at once the newer is taken. */
    async receive(code: string, arriving: ArrivingPart): Promise<{ part: number; isNew: boolean }> {
      const row = await byCode(code, arriving.clientIp)
      const { part, body } = arriving
      const lock = await locks.take(`${row.upload_id}/${part}`, () => body.destroy())
      try {
        if (await store.hasPart(row.upload_id, part)) return { part, isNew: false }
        await write(row, arriving)
        return { part, isNew: true }
      } finally {
        lock.end()
      }
    },
  }
}
