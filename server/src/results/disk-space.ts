import { statfsSync } from 'node:fs'

/** Bytes that may still be written below a folder. The system answers in microseconds. */
export type FreeBytes = (directory: string) => number

const freeBytes: FreeBytes = (directory) => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    // A folder that cannot be asked takes nothing, and no statement suffers from that.
    return 0
  }
}

/** Room on the disk for what is promised before it is written. */
export class DiskRoom {
  private promised = 0

  constructor(
    private readonly directory: string,
    private readonly free: FreeBytes = freeBytes,
  ) {}

  /** False, and nothing is promised, when the disk may not hold so much beside all that was promised before. */
  promise(bytes: number): boolean {
    if (this.free(this.directory) < this.promised + bytes) return false
    this.promised += bytes
    return true
  }

  /** It is written now, or will not be. */
  settle(bytes: number): void {
    this.promised -= bytes
  }
}
