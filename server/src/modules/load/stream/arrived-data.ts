import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { createGatheredWrites } from '../gathered-writes.ts'
import type { UploadFiles } from '../upload-files.ts'
import { type ArrivingBody, type BodyBounds, IDLE_MS, MOST_BYTES, receiveBody } from './arriving-body.ts'

/** Data of a load that is whole: in memory while it is small, otherwise in a file of its account. */
export interface ArrivedData {
  readonly received: number
  /** As they are loaded. */
  readonly bytes: number
  /** Null: it lies in a file. */
  readonly small: Buffer | null
  /** Its name among the uploads, where it is put now if it was not. */
  file(): Promise<string>
  remove(): Promise<void>
}

type GatheredWrites = ReturnType<typeof createGatheredWrites>

/** Of one body that is kept in memory, for as long as it takes to load it. */
const SMALL_BYTES = 128 * 1024

export interface ArrivalParts {
  readonly files: Pick<UploadFiles, 'openNew' | 'remove' | 'freeBytes'>
  readonly idleMs?: number | undefined
  readonly mostBytes?: number | undefined
}

/** Takes bodies in. Files that are there belong to loads that are under way. */
export function createArrivals({ files, idleMs = IDLE_MS, mostBytes = MOST_BYTES }: ArrivalParts) {
  const open = new Set<string>()

  async function remove(accountId: string, name: string): Promise<void> {
    await files.remove({ accountId, uploadId: name })
    open.delete(name)
  }

  async function openNew(accountId: string): Promise<{ readonly name: string; readonly file: FileHandle }> {
    const name = `stream-${randomUUID()}`
    open.add(name)
    try {
      return { name, file: await files.openNew({ accountId, uploadId: name }) }
    } catch (error) {
      open.delete(name)
      throw error
    }
  }

  /** Written at once, as several small bodies that are loaded together. */
  async function put(accountId: string, content: Buffer): Promise<string> {
    const { name, file } = await openNew(accountId)
    try {
      await file.writeFile(content)
      return name
    } catch (error) {
      await remove(accountId, name)
      throw error
    } finally {
      await file.close()
    }
  }

  return {
    put,
    remove,

    /** Of a load that is under way; others are left by a server that has ended. */
    isOpen: (name: string): boolean => open.has(name),

    async receive(accountId: string, body: ArrivingBody): Promise<ArrivedData> {
      let name: string | null = null
      let file: FileHandle | null = null
      let writes: GatheredWrites | null = null
      let kept: Buffer[] = []
      let size = 0
      const bounds: BodyBounds = { idleMs, mostBytes, freeBytes: () => files.freeBytes(accountId) }
      const write = async (chunk: Uint8Array): Promise<void> => {
        size += chunk.byteLength
        if (writes === null && size <= SMALL_BYTES) return void kept.push(Buffer.from(chunk))
        if (writes === null) {
          const opened = await openNew(accountId)
          name = opened.name
          file = opened.file
          writes = createGatheredWrites(file, 0)
          await writes.add(Buffer.concat(kept))
          kept = []
        }
        await writes.add(chunk)
      }
      try {
        const { received, written: bytes } = await receiveBody(write, body, bounds)
        await (writes as GatheredWrites | null)?.end()
        const small = name === null ? Buffer.concat(kept) : null
        return {
          received,
          bytes,
          small,
          file: async () => (name ??= await put(accountId, small ?? Buffer.alloc(0))),
          remove: async () => {
            if (name !== null) await remove(accountId, name)
          },
        }
      } catch (error) {
        if (name !== null) await remove(accountId, name)
        throw error
      } finally {
        await (writes as GatheredWrites | null)?.settled()
        await (file as FileHandle | null)?.close()
      }
    },
  }
}

export type Arrivals = ReturnType<typeof createArrivals>
