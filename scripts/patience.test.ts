import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'

/** Later than any of the waits below would allow on its own. */
function comesLate() {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > 100
}

test('no wait of a test is so short that a busy machine turns it red', async () => {
  await expect.poll(comesLate(), { timeout: 1, interval: 10 }).toBe(true)
  const late = comesLate()
  await vi.waitFor(() => expect(late()).toBe(true), { timeout: 1, interval: 10 })
  await vi.waitUntil(comesLate(), { timeout: 1, interval: 10 })
})

test('tests of the console and journeys, whose waits nothing makes longer, name no short time of their own', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = ['console/src', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => (folder === 'e2e' ? file.endsWith('.ts') : /\.test\.tsx?$/.test(file)))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(100)
  const short = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\btimeout: ?([\d_]+)/g)]
      .filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < 120_000)
      .map(([text]) => `${file}: ${text}`),
  )
  expect(short).toEqual([])
})
