import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { contractDescriptions } from './contract-descriptions.mjs'

interface Description {
  readonly description: string
  readonly input: Record<string, string>
  readonly output: Record<string, string>
}
const descriptionsIn = contractDescriptions as (folder: string) => Record<string, Description>

test('comments of calls and fields are found through names, files, lists, parts and functions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boathouse-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'boat.ts'),
    `export const Boat = z.object({
      /** As painted; see docs/adr/0001. */
      name: z.string().check(z.minLength(1)),
      // Not for readers.
      length: z.int(),
    })
    export const listOf = (item) => z.object({ list: z.array(item), /** HOME-07: Of all. */ total: z.int() })`,
  )
  writeFileSync(
    join(folder, 'harbour.ts'),
    `import { Boat, listOf } from './boat.ts'
    const OfHarbour = {
      /** Where they lie. */
      harbour: z.optional(z.string()),
    }
    export const calls = {
      /** Those that are
       *  at home. */
      boats: defineCall({
        path: '/harbour/boats',
        input: z.extend(z.object(OfHarbour), { /** At most. */ limit: z._default(z.int(), 5) }),
        output: listOf(Boat),
      }),
    }`,
  )
  expect(descriptionsIn(folder)).toEqual({
    '/harbour/boats': {
      description: 'Those that are at home.',
      input: { harbour: 'Where they lie.', limit: 'At most.' },
      output: { 'list.name': 'As painted.', total: 'Of all.' },
    },
  })
})

test('the contract describes hundreds of its fields', () => {
  const found = descriptionsIn(fileURLToPath(new URL('../packages/contract/src', import.meta.url)))
  const fields = Object.values(found).flatMap(({ input, output }) => [
    ...Object.keys(input),
    ...Object.keys(output),
  ])
  expect(fields.length).toBeGreaterThan(300)
  expect(found['/query/kill']?.output).toEqual({ stopped: 'False: it had ended already.' })
})
