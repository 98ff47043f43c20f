import { foldedName } from '@boathouse/contract/same-name'
import type { LoadColumn } from '@boathouse/contract/load'

/** A column of a file, or of a table that is there. */
export interface TableColumn {
  readonly name: string
  readonly type: string
}

/** At most as long as a name may be, and never empty. */
const nameFor = (name: string, at: number): string => name.trim().slice(0, 256) || `column_${at + 1}`

/** For a new table: all detected columns, each under a name of its own. */
export function columnsOfNew(found: readonly TableColumn[]): LoadColumn[] {
  const taken = new Set<string>()
  return found.map(({ name, type }, at) => {
    let into = nameFor(name, at)
    for (let count = 2; taken.has(foldedName(into)); count++) into = `${nameFor(name, at)}_${count}`
    taken.add(foldedName(into))
    return { name, type, into, misfits: 'reject' }
  })
}

/** For a table that is there: by name, whatever the letter case; what it has no column for is left out. */
export function columnsOfExisting(
  found: readonly TableColumn[],
  table: readonly TableColumn[],
): LoadColumn[] {
  const byName = new Map(table.map((column) => [foldedName(column.name), column]))
  const taken = new Set<string>()
  return found.map(({ name, type }) => {
    const column = byName.get(foldedName(name.trim()))
    if (!column || taken.has(column.name)) return { name, type, into: null, misfits: 'reject' }
    taken.add(column.name)
    return { name, type: column.type, into: column.name, misfits: 'reject' }
  })
}

/** What was chosen of columns, by their places. */
export type ChosenParts = Readonly<Record<number, Partial<LoadColumn>>>

export const withParts = (columns: readonly LoadColumn[], parts: ChosenParts): LoadColumn[] =>
  columns.map((column, at) => ({ ...column, ...parts[at] }))
