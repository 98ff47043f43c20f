import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)

export const inRepository = (path: string): string => fileURLToPath(new URL(path, root))

/** What `npx boathouse` runs. */
export const COMMAND = inRepository('cli/bin/boathouse.js')
