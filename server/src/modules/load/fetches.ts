import { LIMITS, type Upload } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import type { Log } from '../../kernel/log.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { requireShare } from '../../kernel/share.ts'
import type { WebFile, WebFiles } from '../../providers/web-file/web-files.ts'
import { partsOfBody } from './parts-of-body.ts'
import type { UploadFiles } from './upload-files.ts'
import { HOUR_MS, placeOf, UPLOAD_MS } from './upload-row.ts'
import type { UploadRow, UploadStore } from './upload-store.ts'
import type { Uploads } from './uploads.ts'

export interface FetchParts {
  readonly store: Pick<UploadStore, 'addPart' | 'renew' | 'resize'>
  readonly uploads: Pick<Uploads, 'describe' | 'drop' | 'own' | 'present' | 'remove' | 'reserveFetched'>
  readonly files: Pick<UploadFiles, 'write'>
  readonly webFiles: WebFiles
  readonly clock: Clock
  readonly log: Log
}

/** A file that is looked for, or on its way. */
interface Fetch extends Pick<Actor, 'accountId' | 'userId'> {
  readonly stop: AbortController
  receivedBytes: number
  isSizeKnown: boolean
}

/** Until its server answers with a file, wherever it leads to, and until all of it is here. */
const BEGIN_MS = 30_000
const WHOLE_MS = 2 * HOUR_MS
/** Sentences that wait for those who ask how it went. */
const MOST_FAILURES = 1_000

const outOfTime = (within: string) =>
  new OutsideRefused('unreachable', `it did not arrive within ${within}; try again, or upload it yourself`)

const inMb = (bytes: number): string => `${Math.round(bytes / 1e5) / 10} MB`

async function* counted(body: AsyncIterable<Buffer>, most: number, fetch: Fetch): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    fetch.receivedBytes += chunk.length
    if (fetch.receivedBytes > most)
      throw new OutsideRefused(
        'nonsense',
        `its server does not say how large it is, and sends more than ${inMb(most)}; upload it yourself`,
      )
    yield chunk
  }
}

const cannotFetch = (why: string) => new AppError('BadInput', `The file could not be fetched: ${why}.`)

/** A file that fits, once its server has begun to send it. */
async function opened(webFiles: WebFiles, { stop }: Fetch, address: string): Promise<WebFile> {
  const late = setTimeout(() => stop.abort(outOfTime(`${BEGIN_MS / 1000} s`)), BEGIN_MS)
  try {
    const file = await webFiles.open(address, stop.signal)
    const { sizeBytes } = file
    if (sizeBytes === 0) throw new OutsideRefused('nonsense', 'it is empty')
    if (sizeBytes !== null && sizeBytes > LIMITS.uploadBytes)
      throw new OutsideRefused('refused', `it is larger than the maximum of ${inMb(LIMITS.uploadBytes)}`)
    return file
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(late)
  }
}

/** Files that the service fetches for a user from an address, as uploads that nobody sends. */
export function createFetches({ store, uploads, files, webFiles, clock, log }: FetchParts) {
  /** Those that are looked for, too. */
  const fetches = new Set<Fetch>()
  const underWay = new Map<string, { fetch: Fetch; done: Promise<void> }>()
  const failures = new BoundedMap<{ userId: string; message: string }>(MOST_FAILURES)

  function beginFetch({ accountId, userId }: Actor): Fetch {
    const ofAccount = [...fetches].filter((one) => one.accountId === accountId)
    const ofUser = ofAccount.filter((one) => one.userId === userId)
    requireShare(
      { ofAccount: ofAccount.length, ofUser: ofUser.length },
      {
        mostOfAccount: LIMITS.fetchesPerAccount,
        mostOfUser: LIMITS.fetchesPerUser,
        what: 'files that are fetched from an address',
        how: 'Wait for some to arrive.',
      },
    )
    const begun = { accountId, userId, stop: new AbortController(), receivedBytes: 0, isSizeKnown: false }
    fetches.add(begun)
    return begun
  }

  async function write(row: UploadRow, { body, sizeBytes }: WebFile, fetch: Fetch): Promise<void> {
    const { upload_id: uploadId, part_bytes: partBytes, size_bytes: most } = row
    let part = 0
    for await (const from of partsOfBody(counted(body, most, fetch), partBytes)) {
      await files.write(placeOf(row), { offset: part * partBytes, most: partBytes, from })
      await store.addPart(uploadId, part, clock.now())
      await store.renew(uploadId, { expires_at: new Date(clock.now().getTime() + UPLOAD_MS) })
      part += 1
    }
    const { receivedBytes } = fetch
    if (receivedBytes === 0) throw new OutsideRefused('nonsense', 'it is empty')
    if (sizeBytes !== null && receivedBytes < sizeBytes)
      throw new OutsideRefused('unreachable', `its server ended it after ${inMb(receivedBytes)}`)
    if (sizeBytes === null) await store.resize(uploadId, receivedBytes)
  }

  /** Only what its user can do something about is repeated. */
  function sentenceOf(error: unknown): string {
    if (error instanceof OutsideRefused) return cannotFetch(error.message).message
    if (error instanceof AppError) return error.message
    if (isDiskFull(error)) return diskFull(error).message
    log.error({ err: error }, 'a file could not be fetched')
    return cannotFetch('something went wrong in the service; try again').message
  }

  async function run(row: UploadRow, file: WebFile, fetch: Fetch): Promise<void> {
    const { signal } = fetch.stop
    const late = setTimeout(() => fetch.stop.abort(outOfTime('2 hours')), WHOLE_MS)
    try {
      await write(row, file, fetch)
    } catch (error) {
      const why: unknown = signal.aborted ? signal.reason : error
      // A user who has cancelled it does not ask.
      if (!signal.aborted || why instanceof OutsideRefused)
        failures.set(row.upload_id, { userId: fetch.userId, message: sentenceOf(why) }, 1)
      await uploads.remove(row)
    } finally {
      clearTimeout(late)
    }
  }

  return {
    /** Answers once its server has begun to send it; the rest arrives in the background. */
    async begin(actor: Actor, address: string): Promise<Upload> {
      const fetch = beginFetch(actor)
      try {
        const file = await opened(webFiles, fetch, address)
        fetch.isSizeKnown = file.sizeBytes !== null
        const sizeBytes = file.sizeBytes ?? LIMITS.fetchedBytesOfUnknownSize
        const row = await uploads.reserveFetched(actor, { name: file.name, sizeBytes })
        const done = run(row, file, fetch)
          .catch((error: unknown) => log.error({ err: error }, 'a file that was not fetched is still there'))
          .finally(() => {
            fetches.delete(fetch)
            underWay.delete(row.upload_id)
          })
        underWay.set(row.upload_id, { fetch, done })
        return await uploads.present(row)
      } catch (error) {
        fetch.stop.abort()
        fetches.delete(fetch)
        throw error instanceof OutsideRefused ? cannotFetch(error.message) : error
      }
    },

    stateOf(uploadId: string): Upload['fetching'] {
      const fetch = underWay.get(uploadId)?.fetch
      return fetch ? { receivedBytes: fetch.receivedBytes, isSizeKnown: fetch.isSizeKnown } : null
    },

    async describe(actor: Actor, uploadId: string): Promise<Upload> {
      const failure = failures.get(uploadId)
      if (failure?.userId === actor.userId) throw new AppError('NotFound', failure.message)
      return uploads.describe(actor, uploadId)
    },

    /** Also while it is fetched, which then ends. */
    async drop(actor: Actor, uploadId: string): Promise<void> {
      await uploads.drop(actor, uploadId)
      underWay.get(uploadId)?.fetch.stop.abort()
    },

    async close(): Promise<void> {
      for (const { stop } of fetches) stop.abort()
      await Promise.all([...underWay.values()].map(({ done }) => done))
      webFiles.close()
    },
  }
}
