import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The server's package, found from a source file under test as well as from the bundle. */
export function serverPackageDirectory(): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let directory = start; ; directory = dirname(directory)) {
    if (isServerPackage(join(directory, 'package.json'))) return directory
    if (directory === dirname(directory)) {
      throw new Error(`The server's package.json is in no folder above ${start}: reinstall Boathouse.`)
    }
  }
}

function isServerPackage(file: string): boolean {
  if (!existsSync(file)) return false
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return (
    typeof parsed === 'object' && parsed !== null && 'name' in parsed && parsed.name === '@boathouse/server'
  )
}
