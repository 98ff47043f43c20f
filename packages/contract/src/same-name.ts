/**
 * The one rule for when two names are of the same catalog, database, table, view, function, column or other object. It is
 * the engine's: A to Z are the same as a to z, and every other character is only the same as itself, so that "É" and "é",
 * or "é" in one character and in two, are two names.
 */

const CAPITALS = /[A-Z]+/g
const NOT_ASCII = /[^\0-\u007f]/

/** By which names are compared and kept. Of other letters than ASCII `toLowerCase` knows capitals that names do not. */
export const foldedName = (name: string): string =>
  NOT_ASCII.test(name) ? name.replace(CAPITALS, (letters) => letters.toLowerCase()) : name.toLowerCase()

export const isSameName = (one: string, other: string): boolean =>
  one === other || foldedName(one) === foldedName(other)

/** Of names in several parts, as one value. Parts hold any character, so that they are kept apart by more than one. */
export const foldedKey = (parts: readonly (string | null)[]): string => foldedName(JSON.stringify(parts))
