import { createEmitter } from '@boathouse/client/emitter'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type CallEvent, callEvents } from './call-events.ts'
import { createIpBlock, useIpBlock } from './ip-block.ts'

function start() {
  const clock = fakeClock()
  const events = createEmitter<CallEvent>()
  const block = createIpBlock(events, clock)
  const shown: (string | null)[] = []
  block.subscribe(() => shown.push(block.get()))
  const refuse = (ip: string) => events.emit({ type: 'ipBlocked', ip })
  return { clock, events, block, shown, refuse }
}

test('the first refusal blocks at once, further ones within 5 s change nothing [API-16]', () => {
  const { clock, block, shown, refuse } = start()
  refuse('203.0.113.7')
  expect(block.get()).toBe('203.0.113.7')
  clock.advance(4_999)
  refuse('203.0.113.8')
  expect(block.get()).toBe('203.0.113.7')
  clock.advance(1)
  refuse('203.0.113.8')
  expect(shown).toEqual(['203.0.113.7', '203.0.113.8'])
})

test('any other answer clears the block, and answers that cross do not make it flicker [API-16, API-17]', () => {
  const { clock, events, shown, refuse } = start()
  refuse('203.0.113.7')
  for (let second = 0; second < 4; second++) {
    clock.advance(1_000)
    events.emit({ type: 'ipClear' })
    refuse('203.0.113.7')
  }
  expect(shown).toEqual(['203.0.113.7', null])
})

test('somebody refused every 3 s does see the page [API-16]', () => {
  const { clock, events, block, refuse } = start()
  refuse('203.0.113.7')
  events.emit({ type: 'ipClear' })
  for (let poll = 0; poll < 2; poll++) {
    clock.advance(3_000)
    refuse('203.0.113.7')
  }
  expect(block.get()).toBe('203.0.113.7')
})

test('a component sees the block come and go', () => {
  const { result } = renderHook(() => useIpBlock())
  expect(result.current).toBeNull()
  act(() => callEvents.emit({ type: 'ipBlocked', ip: '203.0.113.7' }))
  expect(result.current).toBe('203.0.113.7')
  act(() => callEvents.emit({ type: 'ipClear' }))
  expect(result.current).toBeNull()
})
