import { DEFAULT_CATALOG, isSameName } from '@boathouse/contract'

/** The catalog that every account has. */
export const isFirst = (name: string): boolean => isSameName(name, DEFAULT_CATALOG)
