import { beforeEach, describe, expect, test } from 'vitest'
import { createRunMemory } from './run-memory.ts'

const RUN = {
  requestId: 'request-1',
  sql: 'select 1',
  from: 4,
  startTime: 1_000,
  connId: 3,
  oriConnId: 0,
  isSent: true,
}

beforeEach(() => window.sessionStorage.clear())

describe('what a tab runs', () => {
  test('is there after a reload, for its tab alone, until it is forgotten', () => {
    createRunMemory(window.sessionStorage).keep('tab-1', RUN)
    const memory = createRunMemory(window.sessionStorage)
    expect(memory.recall('tab-1', 2_000)).toEqual(RUN)
    expect(memory.recall('tab-2', 2_000)).toBeNull()
    memory.forget('tab-1')
    expect(memory.recall('tab-1', 2_000)).toBeNull()
  })

  test('is not brought back after more than a day', () => {
    const memory = createRunMemory(window.sessionStorage)
    memory.keep('tab-1', RUN)
    expect(memory.recall('tab-1', RUN.startTime + 24 * 3_600_000)).toEqual(RUN)
    expect(memory.recall('tab-1', RUN.startTime + 24 * 3_600_000 + 1)).toBeNull()
    expect(window.sessionStorage).toHaveLength(0)
  })

  test.each(['', '{', 'null', '[]', '{"requestId":"request-1"}', JSON.stringify({ ...RUN, connId: '3' })])(
    'is nothing when %j is stored',
    (stored) => {
      window.sessionStorage.setItem('boathouse-run.tab-1', stored)
      expect(createRunMemory(window.sessionStorage).recall('tab-1', 2_000)).toBeNull()
    },
  )

  test('is not kept when the browser has no room, and neither is what ran before', () => {
    const memory = createRunMemory(window.sessionStorage)
    memory.keep('tab-1', RUN)
    const full = createRunMemory({
      getItem: (key) => window.sessionStorage.getItem(key),
      removeItem: (key) => window.sessionStorage.removeItem(key),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    full.keep('tab-1', { ...RUN, requestId: 'request-2' })
    expect(memory.recall('tab-1', 2_000)).toBeNull()
  })
})
