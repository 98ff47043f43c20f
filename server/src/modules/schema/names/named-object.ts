import type { DatabasePlace, NamedObject } from '../../../engines/engine/names.ts'
import type { AskNames } from '../objects/looking.ts'

export interface FoundName {
  /** As it was written when it was made. */
  readonly name: string
  /** The engine tells of it by its name, without looking through all that there are. */
  readonly isTold: boolean
}

/** A table, view or function by its true name; null when there is none. */
export async function findName(
  ask: AskNames,
  place: DatabasePlace,
  named: NamedObject,
): Promise<FoundName | null> {
  if (named.type === 'table') {
    const [told] = await ask(({ tableTold }) => tableTold(place, named.name))
    if (!told) return null
    if (told[0] != null) return { name: told[0], isTold: true }
  }
  const [listed] = await ask(({ objectNamed }) => objectNamed(place, named))
  return listed?.[0] == null ? null : { name: listed[0], isTold: false }
}
