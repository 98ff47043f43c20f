import { expect, test } from 'vitest'
import { KeptOnce, SentOnce } from './sent-once.ts'

const weightOf = ({ size }: ReadonlySet<string>) => size
const setOf = (count: number) => new Set(Array.from({ length: count }, (_, at) => String(at)))

/** As it passes between two processes. */
const passed = <T>(value: T): T => structuredClone(value)

test('the same value is sent once, and the receiver gets the same instance each time', () => {
  const [sender, keeper] = [
    new SentOnce<ReadonlySet<string>>(weightOf, 100),
    new KeptOnce<ReadonlySet<string>>(),
  ]
  const [some, others] = [setOf(3), setOf(3)]
  const first = keeper.take(passed(sender.of(some)))
  expect(first).toEqual(some)
  expect(sender.of(some)).toEqual({ id: 1 })
  expect(keeper.take(passed(sender.of(some)))).toBe(first)
  expect(keeper.take(passed(sender.of(others)))).not.toBe(first)
})

test('what was not used for longest is forgotten on both sides when there is too much, and sent again', () => {
  const [sender, keeper] = [
    new SentOnce<ReadonlySet<string>>(weightOf, 10),
    new KeptOnce<ReadonlySet<string>>(),
  ]
  const [a, b, c] = [setOf(4), setOf(4), setOf(4)]
  for (const one of [a, b, a]) keeper.take(passed(sender.of(one)))
  const third = sender.of(c)
  expect(third).toEqual({ id: 3, value: c, forget: [2] })
  keeper.take(passed(third))
  expect(() => keeper.take({ id: 2 })).toThrow('never sent')
  expect(keeper.take(passed(sender.of(a)))).toEqual(a)
  expect(sender.of(b)).toMatchObject({ id: 2, value: b, forget: [3] })
})

test('one that is too much alone is kept until the next', () => {
  const [sender, keeper] = [
    new SentOnce<ReadonlySet<string>>(weightOf, 10),
    new KeptOnce<ReadonlySet<string>>(),
  ]
  const [large, small] = [setOf(50), setOf(1)]
  expect(keeper.take(passed(sender.of(large)))).toEqual(large)
  expect(sender.of(large)).toEqual({ id: 1 })
  expect(sender.of(small)).toMatchObject({ forget: [1] })
})
