import { LIMITS } from '@boathouse/contract/limits'

/** The name of the next copy that no query has yet; a long one is shortened. */
export function duplicateName(name: string, taken: ReadonlySet<string>, word: string): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? ` ${word}` : ` ${word} ${number}`
    const copy = `${name.slice(0, LIMITS.queryNameLength - end.length).trimEnd()}${end}`
    if (!taken.has(copy)) return copy
  }
}
