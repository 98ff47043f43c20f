import type { FinishedOutcome } from '../../engine/outcome.ts'
import type { ObjectChange } from '../../engine/objects.ts'
import type { FoundUses } from './object-uses.ts'

/** What a statement has changed for everyone, now that it has finished. */
export function changesOf(
  { definition, bound }: FoundUses,
  wasThere: boolean,
): Pick<FinishedOutcome, 'changed' | 'defined'> {
  if (!definition) return {}
  const { changes, asksFor, altered, isUntold } = definition
  const isReplacing = changes.length > 1
  const told = changes.flatMap((one): readonly ObjectChange[] => {
    // What was not there is not dropped or renamed, and what was there is created only in its place.
    if (one.change !== 'created') return asksFor && !wasThere ? [] : [one]
    if (asksFor && wasThere && !isReplacing) return []
    return one.object.type === 'view' ? [{ ...one, bound }] : [one]
  })
  const defined = altered.length > 0 || isUntold ? { altered, isUntold } : null
  return {
    ...(told.length > 0 && { changed: told }),
    ...((told.length > 0 || defined) && { defined: defined ?? { altered: [], isUntold: false } }),
  }
}
