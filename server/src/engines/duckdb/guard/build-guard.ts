import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildGuardFile } from './raise-guard.ts'

/** Run by the build, once it has put this program in its place. */
await buildGuardFile(dirname(fileURLToPath(import.meta.url)))
