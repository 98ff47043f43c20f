import { expect, onTestFinished, test, vi } from 'vitest'
import { type Question, SilenceWatch } from './silence.ts'

function watched(kinds: readonly Question['kind'][]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const questions: Question[] = kinds.map((kind) => ({ kind, looks: 0 }))
  const host = {
    questions: () => questions,
    ask: vi.fn<() => void>(),
    end: vi.fn<(reason: string) => void>(),
  }
  const watch = new SilenceWatch(host)
  watch.begin()
  onTestFinished(() => watch.stop())
  return { host, watch, questions }
}

test('asks a silent host whether it lives after 5 s, and ends it 10 s later', () => {
  const { host } = watched(['execute'])
  vi.advanceTimersByTime(4_900)
  expect(host.ask).not.toHaveBeenCalled()
  vi.advanceTimersByTime(9_900)
  expect(host.ask).toHaveBeenCalledOnce()
  expect(host.end).not.toHaveBeenCalled()
  vi.advanceTimersByTime(300)
  expect(host.end).toHaveBeenCalledExactlyOnceWith('it gave no sign of life for 15 s')
})

test.each([
  ['open', 60],
  ['tookEffect', 60],
  ['readResult', 300],
] as const)('does not wait for an answer to %s for ever, though the host lives', (kind, seconds) => {
  const { host, watch } = watched([kind])
  for (let second = 0; second < seconds; second++) {
    watch.heard()
    vi.advanceTimersByTime(1_000)
  }
  expect(host.end).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(host.end).toHaveBeenCalledExactlyOnceWith(`it did not answer in ${seconds} s (${kind})`)
})

test.each(['execute', 'resize', 'exportResult'] as const)('lets %s take as long as statements do', (kind) => {
  const { host, watch } = watched([kind])
  for (let second = 0; second < 3_600; second++) {
    watch.heard()
    vi.advanceTimersByTime(1_000)
  }
  expect(host.end).not.toHaveBeenCalled()
})

test.each(['start', 'stop'] as const)('asks nothing while a host cannot hear, as in %s', (kind) => {
  const { host } = watched([kind, 'execute'])
  vi.advanceTimersByTime(20_000)
  expect(host.ask).not.toHaveBeenCalled()
  expect(host.end).not.toHaveBeenCalled()
})

test('looks no further once everything is answered', () => {
  const { questions } = watched(['open'])
  questions.length = 0
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
})
