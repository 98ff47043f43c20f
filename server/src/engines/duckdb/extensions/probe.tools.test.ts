import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpfsFrom } from '../../../testing/embedded-engine.ts'
import { HTTPFS_WHEEL } from '../../../testing/outside-kit.ts'
import { extensionFile } from './extension-names.ts'
import { probeExtensions } from './probe.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'boathouse-probe-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

test.skipIf(HTTPFS_WHEEL === null)(
  'one that was signed for this DuckDB loads, and one byte less does not',
  async () => {
    const path = await httpfsFrom(HTTPFS_WHEEL)
    onTestFinished(() => rm(path, { recursive: true, force: true }))
    expect((await probeExtensions(path)).extensions[0]).toMatchObject({ name: 'httpfs', state: 'loads' })
    const bytes = await readFile(extensionFile(path, 'httpfs'))
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    // In another file: this process runs the code of the first one, and to write there would change it in memory.
    const other = await folder()
    await writeFile(extensionFile(other, 'httpfs'), bytes)
    expect((await probeExtensions(other)).extensions[0]).toMatchObject({ state: 'refused' })
  },
)
