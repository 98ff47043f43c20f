import { closeSync, openSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'

const largestLogBytes = 1_000_000
const shownBytes = 2_000

/** The file PostgreSQL writes to, from here on; one former file is kept. */
export interface ServerLog {
  descriptor: number
  close(): void
  /** The end of what was written since. */
  tail(): Promise<string>
}

export async function openServerLog(file: string): Promise<ServerLog> {
  if (sizeOf(file) > largestLogBytes) await rename(file, `${file}.1`)
  const start = sizeOf(file)
  const descriptor = openSync(file, 'a', 0o600)
  return {
    descriptor,
    close: () => closeSync(descriptor),
    tail: () => readFrom(file, Math.max(start, sizeOf(file) - shownBytes)),
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(shownBytes), position })
    return buffer.toString('utf8', 0, bytesRead).trim()
  } finally {
    await handle.close()
  }
}
