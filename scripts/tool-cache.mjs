import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where programs of others are kept that the tests fetch. */
export const CACHE = join(
  fileURLToPath(new URL('..', import.meta.url)),
  'node_modules',
  '.cache',
  'boathouse',
  'outside',
)

/** Whether the program ran, and ended well. */
export const done = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 900_000, ...options }).status ===
  0

export const pip = (...args) => done('python3', ['-m', 'pip', '--disable-pip-version-check', ...args])

/** What was fetched by Maven before, for another copy of the project too, is not fetched again. */
export const maven = (artifact, folder) =>
  done('mvn', [
    '-q',
    '-B',
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${folder}`,
  ])

/** Into its place at once, or not at all: tests of several processes look there. */
export function fetched(place, fetch) {
  if (existsSync(place)) return place
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(`${place}-`)
  try {
    if (!fetch(draft)) return undefined
    renameSync(draft, place)
    return place
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
