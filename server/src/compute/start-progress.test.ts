import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { createStartProgress } from './start-progress.ts'

const WORKERS = { step: 'workers', ready: 1, of: 2 } as const

function followed() {
  const clock = fakeClock()
  const reported: unknown[] = []
  const took: number[] = []
  const progress = createStartProgress(clock, {
    onStep: () => void reported.push(progress.current()),
    onStarted: (ms) => void took.push(ms),
  })
  return { clock, reported, took, progress }
}

test('a start is reported step by step, each once, and how long it took', async () => {
  const { clock, reported, took, progress } = followed()
  const since = clock.now()
  const late = await progress.follow(async (onStep) => {
    onStep({ step: 'launch', ready: 0, of: 2 })
    clock.advance(3_000)
    onStep(WORKERS)
    onStep(WORKERS)
    return onStep
  })
  expect(reported).toEqual([
    { step: 'launch', ready: 0, of: 2, since },
    { ...WORKERS, since },
  ])
  expect(took).toEqual([3_000])
  // A change of size later on is not a start.
  late(WORKERS)
  expect(progress.current()).toBeNull()
  expect(reported).toHaveLength(2)
})

test('what still ran, and what failed, says nothing of how long a start takes', async () => {
  const { took, progress } = followed()
  await progress.follow(async (onStep) => onStep(WORKERS))
  const failing = progress.follow(async (onStep) => {
    onStep({ step: 'launch', ready: 0, of: 2 })
    throw new Error('no memory')
  })
  await expect(failing).rejects.toThrow('no memory')
  expect(progress.current()).toBeNull()
  expect(took).toEqual([])
})
