import type { TextChange, TextUpdate } from '@boathouse/contract/editor-live'
import { EditorState, type Transaction } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { beginLiveText } from './live-text.ts'
import { StaleText } from './live-texts.ts'

const TAB = '11111111-1111-4111-8111-111111111111'

/** A service that puts changes in an order, and forgets those before `keptFrom`. */
function server() {
  const updates: TextUpdate[] = []
  const state = { keptFrom: 1, losesAnswers: false }
  const push = async (input: { clientId: string; revision: number; changes: TextChange[] }) => {
    const { clientId, revision, changes } = input
    const isLatest = revision === updates.length + 1
    if (revision < state.keptFrom) return { isAccepted: false, isStale: true, updates: [] }
    if (isLatest) updates.push(...changes.map((change) => ({ clientId, changes: change })))
    if (state.losesAnswers) throw new Error('The answer was lost.')
    return { isAccepted: isLatest, isStale: false, updates: updates.slice(revision - 1) }
  }
  return { state, push, updates }
}

function openWindow(clientId: string, push: ReturnType<typeof server>['push'], doc = 'ab') {
  let state: EditorState | undefined = EditorState.create({ doc })
  const host = {
    stateOf: () => state,
    apply: (_: string, transaction: Transaction) => {
      state = transaction.state
    },
  }
  const begin = () =>
    beginLiveText({ tabId: TAB, clientId, host: () => host, extension: [] }, { sql: 'ab', revision: 1 }, push)
  return {
    begin,
    text: () => state?.doc.toString(),
    type: (from: number, insert: string) => {
      state = state?.update({ changes: { from, insert } }).state
    },
    close: () => {
      state = undefined
    },
  }
}

function live(clientId: string, push: ReturnType<typeof server>['push']) {
  const own = openWindow(clientId, push)
  const text = own.begin()
  if (!text) throw new Error('It did not begin.')
  return { ...own, sync: text.sync, isAlive: text.isAlive }
}

describe('a text that several write', () => {
  test('is the same for both in the end, and has what both wrote', async () => {
    const { push } = server()
    const [ann, bob] = [live('ann', push), live('bob', push)]
    ann.type(0, 'x')
    bob.type(2, 'y')
    expect(await ann.sync()).toEqual({ sql: 'xab', revision: 2 })
    expect(await bob.sync()).toEqual({ sql: 'xaby', revision: 3 })
    expect(await ann.sync()).toEqual({ sql: 'xaby', revision: 3 })
  })

  test('is sent once, although an answer was lost and more was written since', async () => {
    const { push, state, updates } = server()
    const ann = live('ann', push)
    ann.type(2, 'c')
    state.losesAnswers = true
    await expect(ann.sync()).rejects.toThrow('lost')
    state.losesAnswers = false
    ann.type(3, 'd')
    expect(await ann.sync()).toEqual({ sql: 'abcd', revision: 3 })
    expect(updates).toHaveLength(2)
  })

  test('is no longer live when too much was missed, or its editor is gone', async () => {
    const { push, state } = server()
    const ann = live('ann', push)
    state.keptFrom = 2
    await expect(ann.sync()).rejects.toThrow(StaleText)
    ann.close()
    expect(ann.isAlive()).toBe(false)
    await expect(ann.sync()).rejects.toThrow(StaleText)
  })

  test('begins with the saved text alone, and once', () => {
    const { push } = server()
    expect(openWindow('ann', push, 'something else').begin()).toBeNull()
    const own = openWindow('ann', push)
    expect(own.begin()).not.toBeNull()
    expect(own.begin()).toBeNull()
  })
})
