import { join } from 'node:path'

/** Bytes, without the closing zero, that the system allows for the path of a socket. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103

/** Where the command line reaches the server that holds the data; undefined when the path is too long for a socket. */
export function operatorSocketIn(dataDir: string): string | undefined {
  const path = join(dataDir, 'operator.sock')
  return Buffer.byteLength(path) <= LONGEST_PATH ? path : undefined
}
