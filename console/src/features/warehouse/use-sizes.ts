import { type EngineKind, type SizeOffer, warehouse } from '@boathouse/contract/warehouse'
import { useCall } from '../../lib/api.ts'

const useOffers = (engine: string | null) =>
  useCall(warehouse.sizes, engine === null ? {} : { engine }, { staleTime: Number.POSITIVE_INFINITY }).data

/** WH-20: what sizes cost and what the engine gives them; undefined while that is not known. */
export const useSizes = (engine: string | null): readonly SizeOffer[] | undefined => useOffers(engine)?.sizes

/** The kinds of engines that a new warehouse can have; none while there is nothing to choose. */
export function useEngineChoice(): readonly EngineKind[] {
  const engines = useOffers(null)?.engines ?? []
  return engines.length > 1 ? engines : []
}

/** The kind of engine with this id; undefined where there is nothing to choose. */
export function useChosenEngine(id: string | null): EngineKind | undefined {
  const engines = useEngineChoice()
  return engines.find((one) => one.id === id) ?? engines[0]
}
