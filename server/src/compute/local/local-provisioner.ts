import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountSpace, LocalProvider } from '../../engines/engine/local-space.ts'
import type { EngineSize } from '../../engines/engine/provider.ts'
import type { EngineProvisioner } from '../provisioner.ts'
import { type AccountFolders, bytesIn, changedAt } from './account-folders.ts'
import { capacityOf, GIB, thisMachine } from './capacity.ts'

const TEMP_BYTES = 10 * GIB
/** Its time of change is the last second in which the engine was alive. */
const ALIVE_FILE = 'alive'
/** Where an engine keeps catalogs: in its folder itself, and further ones in another. */
const DATA_FOLDERS = ['.', 'catalogs']

/** Catalogs of an account beside the first, and what is open to them. */
export type Further = Pick<AccountSpace, 'catalogs' | 'folders' | 'extensions' | 'outside'>

export interface LocalProvisionerOptions {
  readonly provider: LocalProvider
  readonly folders: Pick<AccountFolders, 'directoryOf'>
  /** The home engine keeps its data in the account's folder itself; each other one has a folder of its own there. */
  readonly isHome: boolean
  /** The user of the operating system that an account's engine runs as. */
  readonly osUserOf: (accountId: string) => Promise<number | null>
  /** What an account has beside its own data. */
  readonly furtherOf?: ((accountId: string) => Promise<Further>) | undefined
  readonly machine?: EngineSize | undefined
}

/** Engines on this machine: each account has a process or none, in its folder and as its user. */
export function createLocalProvisioner(options: LocalProvisionerOptions): EngineProvisioner {
  const { provider, folders, isHome, osUserOf, furtherOf, machine = thisMachine() } = options
  const { id, label } = provider

  const placeOf = (accountId: string): string =>
    isHome ? folders.directoryOf(accountId) : join(folders.directoryOf(accountId), 'engines', id)

  return {
    id,
    label,
    capacityOf: (sizes) => capacityOf(sizes, machine),

    start: async (accountId, size) =>
      provider.open({
        accountId,
        directory: placeOf(accountId),
        resultsDirectory: folders.directoryOf(accountId),
        tempBytes: TEMP_BYTES,
        ...size,
        osUser: await osUserOf(accountId),
        ...(await furtherOf?.(accountId)),
      }),

    lastAlive: (accountId) => changedAt(join(placeOf(accountId), ALIVE_FILE)),

    /** Without results and spilled rows, which are in other folders. */
    async storedBytes(accountId) {
      const place = placeOf(accountId)
      const sizes = await Promise.all(DATA_FOLDERS.map((folder) => bytesIn(join(place, folder))))
      return sizes.reduce((all, bytes) => all + bytes, 0)
    },

    remove: (accountId) => rm(placeOf(accountId), { recursive: true, force: true }),
    close: () => provider.close(),
  }
}
