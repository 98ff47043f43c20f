import { expect, onTestFinished, test, vi } from 'vitest'
import { type InUse, MemoryMeter } from './memory-meter.ts'

function metered(read: () => Promise<InUse>) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const onTrouble = vi.fn<(message: string) => void>()
  const close = vi.fn<() => void>()
  return { meter: new MemoryMeter({ read, close }, onTrouble), onTrouble, close }
}

test('remembers the most that was seen while a statement ran, and nothing of before and after', async () => {
  let bytes = 5
  const { meter, close } = metered(async () => ({ bytes, spilled: 2 * bytes }))
  const [long, short] = [meter.begin(), meter.begin()]
  meter.end(short)
  await vi.advanceTimersByTimeAsync(200)
  bytes = 9
  await vi.advanceTimersByTimeAsync(200)
  bytes = 7
  const late = meter.begin()
  await vi.advanceTimersByTimeAsync(200)
  meter.end(long)
  bytes = 100
  await vi.advanceTimersByTimeAsync(200)
  expect([long, short, late]).toEqual([
    { peakBytes: 9, peakSpillBytes: 18 },
    { peakBytes: null, peakSpillBytes: null },
    { peakBytes: 100, peakSpillBytes: 200 },
  ])
  meter.end(late)
  await vi.advanceTimersByTimeAsync(200)
  expect(vi.getTimerCount()).toBe(0)
  await meter.close()
  expect(close).toHaveBeenCalledOnce()
})

test('looks once at a time, and no more after it failed', async () => {
  const read = vi.fn<() => Promise<InUse>>().mockReturnValueOnce(new Promise(() => undefined))
  const slow = metered(read)
  slow.meter.begin()
  await vi.advanceTimersByTimeAsync(1000)
  expect(read).toHaveBeenCalledOnce()
  const failing = metered(() => Promise.reject(new Error('gone')))
  failing.meter.begin()
  await vi.advanceTimersByTimeAsync(1000)
  expect(failing.onTrouble).toHaveBeenCalledExactlyOnceWith('The memory of statements is not measured: gone')
})
