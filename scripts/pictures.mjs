import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'

/** Starts the product on an empty directory, makes a few things in it, and takes pictures into docs/pictures. */
await ensureBuilt()
const cli = createRequire(new URL('../e2e/package.json', import.meta.url)).resolve('@playwright/test/cli')
const config = fileURLToPath(new URL('../e2e/pictures.config.ts', import.meta.url))
const { status } = spawnSync(process.execPath, [cli, 'test', '--config', config], { stdio: 'inherit' })
process.exitCode = status ?? 1
