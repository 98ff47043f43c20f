import { expect, test, vi } from 'vitest'
import { createEmitter } from './emitter.ts'

test('notifies every listener, in order, until it stops listening', () => {
  const { subscribe, emit } = createEmitter<number>()
  const heard: string[] = []
  const stop = subscribe((value) => heard.push(`first ${value}`))
  subscribe((value) => heard.push(`second ${value}`))
  emit(1)
  stop()
  emit(2)
  expect(heard).toEqual(['first 1', 'second 1', 'second 2'])
})

test('a listener that subscribes during an event gets only the next ones', () => {
  const { subscribe, emit } = createEmitter<number>()
  const late = vi.fn<(value: number) => void>()
  const stop = subscribe(() => {
    stop()
    subscribe(late)
  })
  emit(1)
  expect(late).not.toHaveBeenCalled()
  emit(2)
  expect(late).toHaveBeenCalledExactlyOnceWith(2)
})

test('a listener that fails does not keep the others from hearing, and its error is not lost', () => {
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined)
  const { subscribe, emit } = createEmitter<number>()
  const heard: number[] = []
  subscribe(() => {
    throw new Error('broken listener')
  })
  subscribe((value) => heard.push(value))
  emit(1)
  expect(heard).toEqual([1])
  const rethrow = later.mock.calls[0]?.[0]
  later.mockRestore()
  expect(rethrow).toThrow('broken listener')
})
