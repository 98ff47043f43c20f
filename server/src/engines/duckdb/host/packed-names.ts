import type { NamesFound } from '../../engine/names.ts'

/** Of 100,000 names one text passes between two processes in a tenth of the time that as many texts take. */
export interface PackedNames {
  readonly total: number
  readonly names: string
  /** Of each, where that is known. */
  readonly tables?: readonly number[]
}

/** No name has it in it: a text with it is refused. */
const SEPARATOR = '\0'

export function packNames({ total, list }: NamesFound): PackedNames {
  const names = list.map(({ name }) => name).join(SEPARATOR)
  const tables = list.flatMap((one) => one.tables ?? [])
  return tables.length === list.length ? { total, names, tables } : { total, names }
}

export function unpackNames({ total, names, tables }: PackedNames): NamesFound {
  const list = names === '' ? [] : names.split(SEPARATOR)
  return {
    total,
    list: list.map((name, at) => {
      const held = tables?.[at]
      return held === undefined ? { name } : { name, tables: held }
    }),
  }
}
