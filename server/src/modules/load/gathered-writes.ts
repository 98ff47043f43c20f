import type { FileHandle } from 'node:fs/promises'

/** Of what arrives in pieces of some kilobytes, so much is written at a time. */
const WRITE_BYTES = { most: 1024 * 1024, least: 64 * 1024 }
/** Of all files together, so much may be gathered for the next write. */
const GATHERED_BYTES = 16 * 1024 * 1024

let files = 0

const writeBytes = (): number =>
  Math.max(WRITE_BYTES.least, Math.min(WRITE_BYTES.most, GATHERED_BYTES / files))

/**
 * Writes what comes to a file, one piece behind the other from `offset` on. What arrives while the disk writes is
 * gathered, at most as much again: then the sender waits. The more files are written to, the less is gathered for each.
 */
export function createGatheredWrites(file: FileHandle, offset: number) {
  files++
  let gathered: Uint8Array[] = []
  let bytes = 0
  let position = offset
  let writing: Promise<unknown> = Promise.resolve()

  async function write(pieces: readonly Uint8Array[], at: number): Promise<void> {
    let left = pieces
    for (let from = at; left.length > 0;) {
      const { bytesWritten } = await file.writev(left, from)
      from += bytesWritten
      left = behind(left, bytesWritten)
    }
  }

  /** Begins when what was begun before is written; fails as that does. */
  async function begin(): Promise<void> {
    await writing
    writing = write(gathered, position)
    // The next call fails with it.
    writing.catch(() => undefined)
    position += bytes
    gathered = []
    bytes = 0
  }

  return {
    async add(piece: Uint8Array): Promise<void> {
      gathered.push(piece)
      bytes += piece.byteLength
      if (bytes >= writeBytes()) await begin()
    },

    /** When all of it is written. */
    async end(): Promise<void> {
      await begin()
      await writing
    },

    /** When nothing writes any more, whatever became of it: only then the file may be closed. Asked once. */
    async settled(): Promise<void> {
      files--
      await writing.catch(() => undefined)
    },
  }
}

/** What is left when so many bytes are written. */
function behind(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written
  const at = pieces.findIndex((piece) => {
    if (left < piece.byteLength) return true
    left -= piece.byteLength
    return false
  })
  if (at < 0) return []
  const [first, ...rest] = pieces.slice(at)
  return first ? [first.subarray(left), ...rest] : []
}
