import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the build puts the host's entry, seen from the source under test as well as from the server's bundle. */
export function hostBundlePath(): string {
  return join(serverDirectory(), 'dist', 'engine-host.js')
}

export function serverDirectory(): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let directory = start; ; directory = dirname(directory)) {
    if (packageName(join(directory, 'package.json')) === '@boathouse/server') return directory
    if (directory === dirname(directory)) {
      throw new Error(`The server's package.json is in no folder above ${start}: reinstall Boathouse.`)
    }
  }
}

function packageName(file: string): unknown {
  if (!existsSync(file)) return null
  return (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name
}
