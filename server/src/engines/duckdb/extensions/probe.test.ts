import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { extensionFile } from './extension-names.ts'
import { probeExtensions } from './probe.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'boathouse-probe-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const statesIn = async (path: string) =>
  (await probeExtensions(path)).extensions.map(({ name, state }) => `${name} ${state}`)

test('says of each whether it is there, and never loads what is no extension', async () => {
  const path = await folder()
  expect(await statesIn(path)).toEqual(['httpfs missing', 'avro missing', 'iceberg missing'])
  await writeFile(extensionFile(path, 'avro'), 'this is no extension'.repeat(100))
  expect(await statesIn(path)).toEqual(['httpfs missing', 'avro refused', 'iceberg missing'])
  const { duckdb, platform, extensions } = await probeExtensions(path)
  expect([duckdb, platform]).toEqual([expect.stringMatching(/^v\d/), expect.stringMatching(/_/)])
  expect(extensions[1]?.problem).not.toBe('')
})
