import { type ComputeService, createCompute } from './compute/compute.ts'
import { type AccountFolders, createAccountFolders } from './compute/local/account-folders.ts'
import { createLocalProvisioner, type LocalProvisionerOptions } from './compute/local/local-provisioner.ts'
import type { LocalProvider } from './engines/engine/local-space.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'

interface ComputeParts extends Pick<LocalProvisionerOptions, 'osUserOf' | 'furtherOf'> {
  readonly engines: LocalProvider
  readonly otherEngines?: readonly LocalProvider[]
  readonly accountsDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly silentAfterMs?: number | undefined
}

/** Wires the kinds of engines that warehouses may have; a part of `build`. */
export function buildCompute(parts: ComputeParts): { folders: AccountFolders; compute: ComputeService } {
  const { engines, otherEngines = [], accountsDirectory, osUserOf, furtherOf } = parts
  const { clock, log, silentAfterMs } = parts
  const folders = createAccountFolders(accountsDirectory)
  const home = createLocalProvisioner({ provider: engines, folders, isHome: true, osUserOf, furtherOf })
  const others = otherEngines.map((provider) =>
    createLocalProvisioner({ provider, folders, isHome: false, osUserOf }),
  )
  return { folders, compute: createCompute({ provisioners: [home, ...others], clock, log, silentAfterMs }) }
}
