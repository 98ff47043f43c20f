import { KIND, typeOfKinds } from './cell-values.ts'
import { lettersOf, type SheetRow } from './sheet-rows.ts'

export interface FoundColumn {
  readonly name: string
  readonly type: string
}

/** The first row has the names when it holds texts alone. */
export const looksLikeNames = (row: SheetRow): boolean =>
  row.every((value) => value === undefined || value.kind === KIND.text)

const LONGEST_NAME = 240

// oxlint-disable-next-line no-control-regex -- these are the characters that no name has
const SPACES = /[\s\u0000-\u001F\u007F]+/g

/** On one line, with room for a number behind it. */
const nameIn = (text: string): string => text.replaceAll(SPACES, ' ').trim().slice(0, LONGEST_NAME)

/** What all rows have in their columns. */
export class FoundColumns {
  private names: SheetRow = []
  private readonly kinds: number[] = []

  header(row: SheetRow): void {
    this.names = row
  }

  add(row: SheetRow): void {
    for (let at = 0; at < row.length; at++) this.kinds[at] = (this.kinds[at] ?? 0) | (row[at]?.kind ?? 0)
  }

  /** Each under a name of its own; one that has none under its letters. */
  list(): FoundColumn[] {
    const taken = new Set<string>()
    const count = Math.max(this.names.length, this.kinds.length)
    return Array.from({ length: count }, (_, at) => {
      const wanted = nameIn(this.names[at]?.text ?? '') || lettersOf(at)
      let name = wanted
      for (let again = 1; taken.has(name.toLowerCase()); again++) name = `${wanted}_${again}`
      taken.add(name.toLowerCase())
      return { name, type: typeOfKinds(this.kinds[at] ?? 0) }
    })
  }
}
