import { foldedName } from '../../../kernel/same-name.ts'
import { type FullName, type WrittenName } from './names.ts'

const indexes = new WeakMap<readonly FullName[], ReadonlyMap<string, readonly FullName[]>>()

function indexOf(list: readonly FullName[]): ReadonlyMap<string, readonly FullName[]> {
  const index = new Map<string, FullName[]>()
  for (const one of list) {
    const key = foldedName(one.name)
    const same = index.get(key)
    if (same) same.push(one)
    else index.set(key, [one])
  }
  indexes.set(list, index)
  return index
}

/** Those of a list that have a name, wherever they are. A list that is kept is gone through once. */
export function namedIn<T extends FullName>(list: readonly T[]): (name: WrittenName) => readonly T[] {
  const index = (indexes.get(list) ?? indexOf(list)) as ReadonlyMap<string, readonly T[]>
  return ({ name }) => index.get(foldedName(name)) ?? []
}

export const distinctOf = <T>(list: readonly T[]): T[] => [...new Set(list)]
