import { AppError } from '../../kernel/app-error.ts'
import { expect, test, vi } from 'vitest'
import { createSlowRefusals } from './slow-refusals.ts'

const outcome = (answering: Promise<unknown>) => {
  const onAnswer = vi.fn<(value: unknown) => void>()
  answering.then(onAnswer, onAnswer)
  return onAnswer
}

test('a client that sends too many requests is answered after a while; every other answer is sent at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const slowly = createSlowRefusals(1000)
  const tooOften = new AppError('TooManyAttempts', 'Wait 3 seconds, then try again.')
  const wrong = new AppError('BadInput', 'No.')
  const [refused, failed, answered] = [
    outcome(slowly(Promise.reject(tooOften))),
    outcome(slowly(Promise.reject(wrong))),
    outcome(slowly(Promise.resolve('yes'))),
  ]
  await vi.advanceTimersByTimeAsync(999)
  expect(failed).toHaveBeenCalledWith(wrong)
  expect(answered).toHaveBeenCalledWith('yes')
  expect(refused).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(refused).toHaveBeenCalledWith(tooOften)
  vi.useRealTimers()
})

test('no more than 2000 are kept waiting', async () => {
  const slowly = createSlowRefusals(60_000)
  const refusal = () => Promise.reject(new AppError('TooManyAttempts', 'Wait.'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const all = Array.from({ length: 2001 }, () => outcome(slowly(refusal())))
  await vi.advanceTimersByTimeAsync(0)
  expect(all.filter((onAnswer) => onAnswer.mock.calls.length > 0)).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(all.every((onAnswer) => onAnswer.mock.calls.length > 0)).toBe(true)
  vi.useRealTimers()
})
