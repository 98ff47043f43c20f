import { constants } from 'node:fs'
import { type FileHandle, lchown, mkdir, open, rm, statfs } from 'node:fs/promises'
import { uploadFile, uploadsIn } from '../../engines/engine/files.ts'
import { namesIn } from '../../results/files.ts'
import { errorCode } from '../../store/error-code.ts'
import { createGatheredWrites } from './gathered-writes.ts'

export interface UploadFileParts {
  readonly accountDirectory: (accountId: string) => string
  /** Whose the files of an account are where each account has a user of its own; else null. */
  readonly osUserOf: (accountId: string) => Promise<number | null>
}

/** An upload, by its account and its id. */
export interface UploadPlace {
  readonly accountId: string
  readonly uploadId: string
}

const OWN = 0o600
const OWN_FOLDER = 0o700

/** The bytes of uploads: each is one file in the folder of its account, for its engine to read. */
export function createUploadFiles({ accountDirectory, osUserOf }: UploadFileParts) {
  const fileOf = ({ accountId, uploadId }: UploadPlace) => uploadFile(accountDirectory(accountId), uploadId)

  const ownerOf = async (accountId: string): Promise<number | null> =>
    process.getuid?.() === 0 ? osUserOf(accountId) : null

  async function makeFolder(accountId: string): Promise<void> {
    const folder = uploadsIn(accountDirectory(accountId))
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER })
    const user = await ownerOf(accountId)
    if (user !== null) await lchown(folder, user, user)
  }

  /** In the folder of its account, which is made for the first. */
  async function openNew(place: UploadPlace): Promise<FileHandle> {
    const openHere = () => open(fileOf(place), constants.O_CREAT | constants.O_WRONLY, OWN)
    const file = await openHere().catch(async (error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
      await makeFolder(place.accountId)
      return openHere()
    })
    try {
      const user = await ownerOf(place.accountId)
      if (user !== null) await file.chown(user, user)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  return {
    /** Room on the disk that nobody has used yet. */
    async freeBytes(accountId: string): Promise<number> {
      const directory = accountDirectory(accountId)
      await mkdir(directory, { recursive: true })
      const { bavail, bsize } = await statfs(directory)
      return bavail * bsize
    },

    create: async (place: UploadPlace): Promise<void> => (await openNew(place)).close(),

    /** For what arrives in one go, and is read as soon as it is there. */
    openNew,

    /** Writes what comes to its place, and is done when it is on the disk. Gives the bytes that came, at most `most`. */
    async write(
      place: UploadPlace,
      { offset, most, from }: { offset: number; most: number; from: AsyncIterable<Buffer> },
    ): Promise<number> {
      const file = await open(fileOf(place), constants.O_WRONLY)
      const writes = createGatheredWrites(file, offset)
      try {
        let written = 0
        for await (const chunk of from) {
          written += chunk.length
          if (written > most) return written
          await writes.add(chunk)
        }
        await writes.end()
        await file.datasync()
        return written
      } finally {
        await writes.settled()
        await file.close()
      }
    },

    /** What was made in the folder of the account is there after a loss of power, too. */
    async keep(accountId: string): Promise<void> {
      const folder = await open(uploadsIn(accountDirectory(accountId)), constants.O_RDONLY)
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    },

    remove: (place: UploadPlace) => rm(fileOf(place), { force: true }),

    /** The ids of what lies there. */
    list: (accountId: string) => namesIn(uploadsIn(accountDirectory(accountId))),
  }
}

export type UploadFiles = ReturnType<typeof createUploadFiles>
