import { fileURLToPath } from 'node:url'

/** The folder that holds server, console and cli; this file lies two below it, as a source and as a bundle. */
export const productRoot = fileURLToPath(new URL('../..', import.meta.url))
