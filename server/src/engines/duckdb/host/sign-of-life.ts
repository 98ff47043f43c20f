import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Its time of change is the last second in which the engine lived. */
const ALIVE_FILE = 'alive'

const EVERY_MS = 1_000

/** Starts at once and ends with the process. Only the first failure is reported, for example of a full disk. */
export async function showLife(directory: string, onTrouble: (message: string) => void): Promise<void> {
  const file = join(directory, ALIVE_FILE)
  await writeFile(file, '')
  let isReported = false
  const tell = (error: Error) => {
    if (!isReported) onTrouble(`The engine cannot show that it is alive: ${error.message}`)
    isReported = true
  }
  setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(tell)
  }, EVERY_MS).unref()
}
