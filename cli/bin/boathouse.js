#!/usr/bin/env node
import { ensureBuilt } from '../../scripts/build.mjs'

await ensureBuilt()
await import('../dist/boathouse.js')
