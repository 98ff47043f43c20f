import { fileURLToPath } from 'node:url'

/** The folder `server` of this repository. */
export const SERVER_DIRECTORY = fileURLToPath(new URL('../..', import.meta.url))
