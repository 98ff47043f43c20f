import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { cell, must, openSession, testSpace } from '../../conformance/fixture.ts'
import { MemoryOutside } from '../../../testing/memory-outside.ts'
import type { BucketCatalog } from '../../engine/attachments.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { isApart } from '../hosting/confinement.ts'
import { createDuckdbProvider } from '../provider.ts'

test('without the extension an engine says what is missing, and has everything else', async () => {
  const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false })
  onTestFinished(() => provider.close())
  const lake: BucketCatalog = { kind: 'bucket', id: randomUUID(), name: 'lake' }
  const space = await testSpace()
  const engine = await provider.open({
    ...space,
    extensions: space.directory,
    outside: new MemoryOutside(),
    catalogs: [lake],
  })
  onTestFinished(() => engine.close())
  const attachments = must(engine.attachments)
  expect(attachments.kinds.has('bucket')).toBe(false)
  expect(attachments.kinds.has('folder')).toBe(true)
  const why = attachments.whyNot('bucket') ?? ''
  expect(why).toMatch(isApart() ? /need the extension httpfs/ : /isolate engines from the network/)
  expect(attachments.whyClosed('lake')).toContain(why)
  expect(await cell(await openSession(engine), 'SELECT 1')).toBe('1')
})
