import { expect, test } from 'vitest'
import { type Admission, createAdmission, type Slot, WAITING_PER_SLOT } from './admission.ts'

/** An applicant: the places that were reported to it, the slot or error it got, and a way to give up. */
function apply(admission: Admission) {
  const abort = new AbortController()
  const one = {
    places: [] as number[],
    slot: undefined as Slot | null | undefined,
    error: undefined as Error | undefined,
    giveUp: () => abort.abort(),
    done: Promise.resolve(),
  }
  one.done = admission.enter({ onQueued: (place) => one.places.push(place), signal: abort.signal }).then(
    (slot) => void (one.slot = slot),
    (error: Error) => void (one.error = error),
  )
  return one
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('as many as there are slots get in at once and hear of no queue', async () => {
  const admission = createAdmission(2)
  const [first, second] = [apply(admission), apply(admission)]
  await settle()
  expect([first.slot, second.slot]).toEqual([expect.anything(), expect.anything()])
  expect([first.places, second.places]).toEqual([[], []])
  expect(admission.counts()).toEqual({ slots: 2, held: 2, waiting: 0 })
})

test('later applicants wait, hear of each change of their place, and get slots in order of arrival', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const [second, third, fourth] = [apply(admission), apply(admission), apply(admission)]
  first.slot?.release()
  await second.done
  expect(fourth.slot).toBeUndefined()
  second.slot?.release()
  await third.done
  third.slot?.release()
  await fourth.done
  expect([second.places, third.places, fourth.places]).toEqual([[1], [2, 1], [3, 2, 1]])
})

test('a slot given back twice is one slot', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const [second, third] = [apply(admission), apply(admission)]
  first.slot?.release()
  first.slot?.release()
  await settle()
  expect([second.slot, third.slot]).toEqual([expect.anything(), undefined])
})

test('an applicant who gives up leaves the queue, and those behind move up', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const [second, third] = [apply(admission), apply(admission)]
  second.giveUp()
  await second.done
  expect(second.error).toMatchObject({ code: 'Cancelled' })
  expect(third.places).toEqual([2, 1])
  first.slot?.release()
  await third.done
  expect(third.slot).toBeTruthy()
  expect(admission.counts()).toEqual({ slots: 1, held: 1, waiting: 0 })
})

test('giving up after having got in changes nothing, and before asking gets nothing', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  first.giveUp()
  expect(admission.counts()).toMatchObject({ held: 1 })
  const late = new AbortController()
  late.abort()
  await expect(admission.enter({ onQueued: () => undefined, signal: late.signal })).rejects.toMatchObject({
    code: 'Cancelled',
  })
})

test('the queue has an end: beyond 100 for each slot nobody may wait', async () => {
  const admission = createAdmission(2)
  const crowd = Array.from({ length: 2 + 2 * WAITING_PER_SLOT }, () => apply(admission))
  const late = apply(admission)
  await late.done
  expect(WAITING_PER_SLOT).toBe(100)
  expect(late.error).toMatchObject({
    code: 'WarehouseFull',
    message: expect.stringContaining('2 statements at a time, and 200 more are already queued'),
  })
  crowd[0]?.slot?.release()
  const next = apply(admission)
  await settle()
  expect(next.error).toBeUndefined()
  expect(next.places).toEqual([200])
})

test('more slots let the first of the queue in; with fewer, nobody is thrown out', async () => {
  const admission = createAdmission(1)
  const applicants = Array.from({ length: 5 }, () => apply(admission))
  await settle()
  admission.setSlots(3)
  await settle()
  expect(applicants.map(({ slot }) => Boolean(slot))).toEqual([true, true, true, false, false])
  admission.setSlots(1)
  applicants[0]?.slot?.release()
  applicants[1]?.slot?.release()
  await settle()
  expect(applicants[3]?.slot).toBeUndefined()
  applicants[2]?.slot?.release()
  await settle()
  expect(applicants.map(({ slot }) => Boolean(slot))).toEqual([true, true, true, true, false])
})

test('closing refuses everyone who waits and everyone who comes, and ends when the last slot is back', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const waiting = apply(admission)
  const reason = new Error('over')
  let isDrained = false
  const drained = admission.close(reason).then(() => (isDrained = true))
  const late = apply(admission)
  await Promise.all([waiting.done, late.done])
  expect([waiting.error, late.error]).toEqual([reason, reason])
  expect(isDrained).toBe(false)
  first.slot?.release()
  await drained
  expect(isDrained).toBe(true)
})

test('closing without a reason gives waiting applicants null, so that they apply again', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const waiting = apply(admission)
  void admission.close(null)
  const late = apply(admission)
  await Promise.all([waiting.done, late.done])
  expect([waiting.slot, late.slot]).toEqual([null, null])
})

test('a slot that is lent goes to the next one, and its way back never waits', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  const [second, third] = [apply(admission), apply(admission)]
  const takeBack = first.slot?.lend()
  await second.done
  expect(admission.counts()).toEqual({ slots: 1, held: 2, waiting: 1 })
  takeBack?.()
  second.slot?.release()
  await settle()
  expect(third.slot).toBeUndefined()
  first.slot?.release()
  await third.done
  expect(admission.counts()).toEqual({ slots: 1, held: 1, waiting: 0 })
})

test('a warehouse has ended only when what was lent has ended too', async () => {
  const admission = createAdmission(1)
  const first = apply(admission)
  await first.done
  first.slot?.lend()
  let hasEnded = false
  const ended = admission.close(null).then(() => (hasEnded = true))
  await settle()
  expect(hasEnded).toBe(false)
  first.slot?.release()
  await ended
  expect(admission.counts()).toEqual({ slots: 1, held: 0, waiting: 0 })
})
