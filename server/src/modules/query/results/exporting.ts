import { randomBytes, randomUUID } from 'node:crypto'
import { type ExportFormat, LIMITS } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { ResultRoom } from '../../../results/room.ts'
import { downloadEvent, hashCode, removeDownload } from './download-files.ts'
import type { DownloadStore } from './download-store.ts'
import { expired, type Looker } from './result-access.ts'
import type { Results } from './results.ts'

export interface ExportParts {
  readonly store: Pick<DownloadStore, 'reserve' | 'made' | 'remove'>
  readonly results: Pick<Results, 'find' | 'reading' | 'keepWithinQuota'>
  readonly room: Pick<ResultRoom, 'exportFile' | 'unfinishedBytes'>
  readonly clock: Clock
  /** Of all files of an account together. */
  readonly mostBytes?: number
}

const LINK_MS = 10 * 60_000
/** How long a file may take to be made, and then to be fetched. */
export const WORK_MS = 60 * 60_000
const MIB = 1024 * 1024
/** Most files are smaller. One that turns out larger is made again, with room for the largest there may be. */
const FIRST_ROOM = 128 * MIB

const inMib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`

const noRoom = (mostBytes: number) =>
  new AppError(
    'QuotaExceeded',
    `There is no space for this file: the maximum for files to be downloaded is ${inMib(mostBytes)} per account and ${inMib(Math.min(mostBytes, LIMITS.exportBytesPerUser))} per user. Download them, or wait until they expire, ten minutes after they were made.`,
  )

export interface Wanted {
  readonly queryId: string
  readonly format: ExportFormat
  /** By which the user follows and stops it. */
  readonly exportId?: string | undefined
}

/** A file that is being made. */
interface Making {
  readonly actor: Actor
  readonly clientIp: string | null
  readonly queryId: string
  /** Whose result it is, and how many rows it has. */
  readonly owner: string
  readonly rows: number | null
  /** Null until there is room for it. */
  file: string | null
  /** Whichever comes first. */
  ending: 'made' | 'stopped' | null
}

const keyOf = ({ userId }: Actor, exportId: string): string => `${userId} ${exportId}`
const noSuchExport = () => new AppError('NotFound', 'There is no such export of yours. It may have ended.')
const stopped = () => new AppError('Cancelled', 'You stopped this download.')

interface Order extends Wanted {
  /** The room that is asked for. */
  readonly bytes: number
}

/** Makes files of kept results. Room for each is reserved before it is made. */
export function createExports(parts: ExportParts) {
  const { store, results, room, clock } = parts
  const { mostBytes = LIMITS.exportBytesPerAccount } = parts
  const mostBytesOfUser = Math.min(mostBytes, LIMITS.exportBytesPerUser)
  /** By user and the id that the user chose. */
  const under = new Map<string, Making>()

  function find(actor: Actor, exportId: string): Making {
    const making = under.get(keyOf(actor, exportId))
    if (!making) throw noSuchExport()
    return making
  }

  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function reserve(actor: Actor, { queryId, format, bytes }: Order) {
    const code = randomBytes(24).toString('base64url')
    // The end tells ids apart; their beginning is the time.
    const fileName = `query-${queryId.slice(-8)}.${format}`
    const { accountId: account_id, userId: user_id } = actor
    const file = room.exportFile(account_id, `${randomUUID()}.${format}`)
    const code_hash = hashCode(code)
    const row = { code_hash, account_id, user_id, query_id: queryId, format, file, file_name: fileName }
    const atLeast = Math.min(bytes, FIRST_ROOM)
    const wanted = { bytes, atLeast, mostBytes, mostBytesOfUser }
    const maxBytes = await store.reserve({ ...row, expires_at: later(WORK_MS) }, wanted)
    if (maxBytes === null) throw noRoom(mostBytes)
    return { code, codeHash: code_hash, file, fileName, maxBytes }
  }

  /** Null when it is larger than the room that was asked for. */
  async function make(making: Making, order: Order) {
    const { actor } = making
    const { queryId, format } = order
    const { code, codeHash, file, fileName, maxBytes } = await reserve(actor, order)
    making.file = file
    let bytes: number | null = null
    try {
      await results.keepWithinQuota(actor.accountId, { except: queryId })
      const made = await results.reading(actor, queryId, (reader) => {
        if (making.ending) throw stopped()
        return reader.export(queryId, { format, file, maxBytes })
      })
      if (!made) throw expired()
      if (made.stopped || making.ending) throw stopped()
      if (made.unfit !== undefined) throw new AppError('LimitReached', made.unfit)
      bytes = made.bytes
      if (bytes === null && maxBytes < order.bytes) throw noRoom(mostBytes)
      if (bytes === null) return null
      making.ending = 'made'
      const { owner, rows } = making
      await store.made(
        codeHash,
        { bytes, at: clock.now(), expiresAt: later(LINK_MS) },
        {
          ...downloadEvent(making, queryId, clock.now()),
          action: 'result.export',
          after: { owner, format, rows, bytes },
        },
      )
      return { url: `/download/${code}`, fileName, sizeBytes: bytes }
    } finally {
      if (bytes === null) await removeDownload(store, codeHash, file)
    }
  }

  return {
    /** Makes the file first, so that a download has all of it, or is refused before it begins. */
    async export({ actor, clientIp = null }: Looker, wanted: Wanted) {
      const { queryId, exportId = randomUUID() } = wanted
      const { row } = await results.find(actor, queryId, clientIp)
      const key = keyOf(actor, exportId)
      if (under.has(key)) throw new AppError('Conflict', 'This export is already running.')
      const { user_name: owner, result_rows: rows } = row
      const making: Making = { actor, clientIp, queryId, owner, rows, file: null, ending: null }
      under.set(key, making)
      try {
        for (const bytes of [FIRST_ROOM, LIMITS.exportBytes]) {
          const made = await make(making, { ...wanted, bytes })
          if (made) return made
        }
      } finally {
        under.delete(key)
      }
      throw new AppError(
        'QuotaExceeded',
        `The file would be larger than ${inMib(LIMITS.exportBytes)}. Select fewer rows or columns, or export as Parquet, which is smaller.`,
      )
    },

    async state(actor: Actor, exportId: string) {
      const { file, queryId } = find(actor, exportId)
      if (file === null) return { percent: null, bytes: 0 }
      const percent = await results.reading(actor, queryId, (reader) => reader.exportProgress(file))
      return { percent, bytes: await room.unfinishedBytes(file) }
    },

    async stop(actor: Actor, exportId: string): Promise<void> {
      const making = find(actor, exportId)
      if (making.ending === 'made') throw noSuchExport()
      making.ending = 'stopped'
      const { file, queryId } = making
      if (file !== null) await results.reading(actor, queryId, (reader) => reader.stopExport(file))
    },
  }
}
