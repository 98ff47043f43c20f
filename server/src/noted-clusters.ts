import type { ClusterSpace } from './engines/engine/cluster-space.ts'
import type { Engine, EngineOf, UseEngineOf } from './engines/engine/engine.ts'
import type { Lake, NotedWrite } from './engines/engine/lake.ts'
import type { Staging } from './engines/engine/staging.ts'
import type { EngineProvider } from './engines/engine/provider.ts'

/** The same engines; what each of them is about to write in the lake of its account is noted there first, so that data is loaded once. */
export const notingWrites = (
  provider: EngineProvider<ClusterSpace>,
  lake: Lake,
  staging: Staging | undefined,
): EngineProvider<ClusterSpace> => ({
  ...provider,
  open: (space) => {
    const { accountId, warehouseId } = space
    return provider.open({
      ...space,
      ...(staging && { staging }),
      notes: {
        async begins({ target: { catalog, database, name }, ...write }) {
          if (catalog !== lake.catalog || database === null) return
          await lake.of(accountId).noteWrite({ ...write, warehouseId, database, name })
        },
      },
    })
  },
})

/**
 * Engines by what they remember. What clusters have written, the lake tells: so the engine in front of it is asked, which is
 * there while no cluster runs.
 */
export const rememberedBy =
  (useEngine: UseEngineOf, clusterKind: string | undefined): UseEngineOf =>
  ({ accountId, engine }: EngineOf, work) =>
    useEngine({ accountId, engine: engine === clusterKind ? null : engine }, work)

interface RunningEngines {
  runningOf(of: { readonly accountId: string; readonly warehouseId: string }): Promise<Engine | null>
}

/** See `AccountLake.requireOver`. What runs is wired after the lakes. */
export const requireOverIn =
  (engines: () => RunningEngines) =>
  async (accountId: string, { warehouseId, remoteId }: NotedWrite): Promise<void> =>
    (await engines().runningOf({ accountId, warehouseId }))?.endStatement?.(remoteId)
