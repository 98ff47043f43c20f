import { expect, test } from 'vitest'
import { createTabSaver } from './tab-saver.ts'
import { bench, TAB } from '../testing/runner-bench.ts'

function start() {
  const { store, clock } = bench({ catalog: 'default_catalog', database: 'main' })
  const sent: { place: unknown; settle: (ok: boolean) => Promise<void> }[] = []
  const save = createTabSaver({
    store,
    save: (place) =>
      new Promise((resolve, reject) => {
        const settle = async (ok: boolean) => {
          if (ok) resolve({})
          else reject(new Error('down'))
          for (let turn = 0; turn < 5; turn++) await Promise.resolve()
        }
        sent.push({ place, settle })
      }),
  })
  const choose = (database: string) => {
    store.choosePlace(TAB, { catalog: 'default_catalog', database }, clock.now())
    save(TAB)
  }
  const databases = () => sent.map(({ place }) => (place as { database: string }).database)
  return { sent, choose, databases }
}

test('the place of a tab is saved, and of several the last one stays', async () => {
  const { sent, choose, databases } = start()
  choose('one')
  expect(sent[0]?.place).toMatchObject({ tabId: TAB, catalog: 'default_catalog', database: 'one' })
  choose('two')
  choose('three')
  expect(databases()).toEqual(['one'])
  await sent[0]?.settle(true)
  expect(databases()).toEqual(['one', 'three'])
  await sent[1]?.settle(true)
  expect(databases()).toHaveLength(2)
})

test('one that could not be saved does not hold up the next', async () => {
  const { sent, choose, databases } = start()
  choose('one')
  await sent[0]?.settle(false)
  choose('two')
  expect(databases()).toEqual(['one', 'two'])
})
