import { type ComputeService, createCompute } from './compute/compute.ts'
import { type AccountFolders, createAccountFolders } from './compute/local/account-folders.ts'
import { createLocalProvisioner, type LocalProvisionerOptions } from './compute/local/local-provisioner.ts'
import type { EngineProvisioner } from './compute/provisioner.ts'
import type { LocalProvider } from './engines/engine/local-space.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'

interface ComputeParts extends Pick<LocalProvisionerOptions, 'osUserOf' | 'furtherOf'> {
  readonly engines: LocalProvider
  readonly otherEngines?: readonly LocalProvider[]
  /** Of kinds that do not run as one process of this machine. */
  readonly further?: (folders: AccountFolders) => Promise<readonly EngineProvisioner[]>
  readonly accountsDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly silentAfterMs?: number | undefined
}

/** Wires the kinds of engines that warehouses may have; a part of `build`. */
export async function buildCompute(
  parts: ComputeParts,
): Promise<{ folders: AccountFolders; compute: ComputeService }> {
  const { engines, otherEngines = [], further, accountsDirectory, osUserOf, furtherOf } = parts
  const { clock, log, silentAfterMs } = parts
  const folders = createAccountFolders(accountsDirectory)
  const home = createLocalProvisioner({ provider: engines, folders, isHome: true, osUserOf, furtherOf })
  const others = otherEngines.map((provider) =>
    createLocalProvisioner({ provider, folders, isHome: false, osUserOf }),
  )
  const provisioners = [home, ...others, ...((await further?.(folders)) ?? [])] as const
  return { folders, compute: createCompute({ provisioners, clock, log, silentAfterMs }) }
}
