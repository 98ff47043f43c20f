import { OutsideRefused } from '../../../kernel/outside.ts'
import type { FileSource, IsNamed } from '../folders/file-source.ts'
import { type FolderContent, FolderUnreadable } from '../folders/layout.ts'
import type { Mount } from './loopback.ts'

interface MountedParts {
  readonly mount: Mount
  /** What the catalog is called in messages, in place of the address of its files. */
  readonly catalog: string
  /** How long a look may take. */
  readonly withinMs: number
  /** Shows the files that are there. */
  look(stop: AbortSignal, isNamed: IsNamed): Promise<FolderContent>
  lacks?(isNamed: IsNamed): boolean
}

/** A look costs requests that somebody pays for. */
const FRESH_MS = 2_000

/** Takes the address of its files out of a message, and says why one could not be read. */
export const maskOf =
  ({ mount, catalog }: Pick<MountedParts, 'mount' | 'catalog'>) =>
  (message: string): string =>
    mount.explained(message).replaceAll(mount.base, catalog)

/** Files that lie outside, and that DuckDB reads by addresses of its own process. */
export const mountedSource = ({ mount, catalog, withinMs, look, lacks }: MountedParts): FileSource => ({
  ...(lacks && { lacks }),
  async look(stop, isNamed) {
    try {
      return await look(stop, isNamed)
    } catch (error) {
      if (stop.aborted) throw new FolderUnreadable('it does not answer in time', { cause: error })
      if (error instanceof OutsideRefused) throw new FolderUnreadable(error.message, { cause: error })
      throw error
    }
  },
  tableOf(file) {
    const found = mount.files.get(file)
    return found ? { schema: found.schema, name: found.name } : null
  },
  mask: maskOf({ mount, catalog }),
  freshMs: FRESH_MS,
  withinMs,
  close: () => mount.close(),
})
