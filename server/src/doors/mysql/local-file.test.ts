import { expect, test } from 'vitest'
import { LocalFile } from './local-file.ts'

function asked() {
  const names: string[] = []
  let granted = 0
  const file = new LocalFile({ ask: (name) => names.push(name), grant: (bytes) => (granted += bytes) })
  return { file, names, granted: () => granted }
}

const bytes = (text: string) => Buffer.from(text)

test('a file is asked for when it is read, and granted on as it is', async () => {
  const { file, names, granted } = asked()
  const reading = file.read('a.csv')
  expect(names).toEqual([])
  const first = reading.next()
  expect(names).toEqual(['a.csv'])
  file.received(bytes('abc'))
  file.received(bytes('de'))
  expect((await first).value).toEqual(bytes('abc'))
  expect(granted()).toBe(0)
  expect((await reading.next()).value).toEqual(bytes('de'))
  expect(granted()).toBe(3)
  file.sent(null)
  expect((await reading.next()).done).toBe(true)
  expect(granted()).toBe(5)
})

test('what nobody reads any more is granted and dropped, so that its client comes to its end', async () => {
  const { file, granted } = asked()
  const first = file.read('a.csv').next()
  for (const text of ['abc', 'de']) file.received(bytes(text))
  await first
  file.abandon()
  file.received(bytes('fghi'))
  expect(granted()).toBe(3 + 2 + 4)
})

test('a client that went away, or cannot send it, ends the reading with an error', async () => {
  const gone = asked().file
  const waiting = gone.read('a.csv').next()
  gone.gone()
  await expect(waiting).rejects.toThrow('went away')
  const refused = asked().file
  const next = refused.read('a.csv').next()
  refused.sent('not allowed')
  await expect(next).rejects.toThrow('not allowed')
  expect(refused.refusal).toBe('not allowed')
})
