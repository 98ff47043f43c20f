import { existsSync } from 'node:fs'
import type { Outside } from '../../../kernel/outside.ts'
import { extensionFile } from '../extensions/extension-names.ts'
import { type Loopback, openLoopback } from './loopback.ts'

/** What an engine has for files that lie outside of the machine. */
export interface Reach {
  readonly outside: Outside
  readonly loopback: Loopback
  /** The extension by which DuckDB reads from an address. */
  readonly httpfs: string
}

const NO_HTTPFS =
  'Catalogs over buckets, Iceberg REST servers, AWS Glue and Hive metastores need the extension httpfs. The operator of the service installs it; npx boathouse extensions shows how.'

export const NOT_APART =
  'Catalogs over buckets, Iceberg REST servers, AWS Glue and Hive metastores are not available, because this operating system does not isolate engines from the network.'

export const notLoaded = (why: string): string =>
  `Catalogs over buckets, Iceberg REST servers, AWS Glue and Hive metastores cannot be read: DuckDB does not load the extension httpfs. ${why}`

/** As a sentence when it has none. */
export async function openReach(
  outside: Outside | string,
  extensions: string | undefined,
): Promise<Reach | string> {
  if (typeof outside === 'string') return outside
  const httpfs = extensions === undefined ? null : extensionFile(extensions, 'httpfs')
  if (httpfs === null || !existsSync(httpfs)) return NO_HTTPFS
  return { outside, loopback: await openLoopback(outside), httpfs }
}
