import type { EngineKind } from '../../engines/engine/provider.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { WarehouseRow } from './store.ts'

/** The kind of engine that a warehouse has, the first one unless it names another. One that is not configured has no name. */
export const engineIn = (
  kinds: readonly EngineKind[],
  { engine }: Pick<WarehouseRow, 'engine'>,
): EngineKind => {
  const found = engine === null ? kinds[0] : kinds.find(({ id }) => id === engine)
  return found ?? { id: engine ?? '', label: engine ?? '' }
}

/** As people see it. */
export const shownKind = ({ id, label, isCluster, isExisting }: EngineKind): Omit<EngineKind, 'catalog'> => ({
  id,
  label,
  ...(isCluster && { isCluster }),
  ...(isExisting && { isExisting }),
})

/** Of those that are configured, the ones that an account has chosen. Throws where none of them is left. */
export function kindsFor(kinds: readonly EngineKind[], engines: string): readonly EngineKind[] {
  const chosen = kinds.filter(
    ({ isCluster = false }) => engines === 'both' || isCluster === (engines === 'cluster'),
  )
  if (chosen.length > 0) return chosen
  throw new AppError(
    'Conflict',
    'Warehouses of this account are clusters, which this installation does not offer at this moment.',
  )
}

/** The engine of a new warehouse; null: the home engine. */
export function engineOfNew(
  { kinds, chosen }: { readonly kinds: readonly EngineKind[]; readonly chosen: readonly EngineKind[] },
  asked: string | null,
): string | null {
  requireKind(chosen, asked)
  const [first] = chosen
  return asked ?? (first === kinds[0] ? null : (first?.id ?? null))
}

/** Null: the first one. */
function requireKind(kinds: readonly EngineKind[], engine: string | null): void {
  if (engine === null || kinds.some(({ id }) => id === engine)) return
  const known = kinds.map(({ id }) => id).join(', ')
  throw new AppError(
    'BadInput',
    `The engine ${engine} does not exist here. A warehouse has one of: ${known}.`,
  )
}
