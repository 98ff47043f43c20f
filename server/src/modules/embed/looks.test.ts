import { expect, test } from 'vitest'
import { fakeClock, MINUTES } from '../../testing/fake-clock.ts'
import { createLooks } from './looks.ts'

const LOOK = { accountId: 'ABC12345', embedId: 'one', clientIp: '198.51.100.7' }

test('one address looks through a link so often in a minute and no more, and others still can', async () => {
  const clock = fakeClock()
  const looks = createLooks(clock)
  const look = (more: Partial<typeof LOOK> = {}) => looks({ ...LOOK, ...more }, async () => 'seen')
  for (let at = 0; at < 1_200; at++) await look()
  await expect(look()).rejects.toMatchObject({ code: 'TooManyAttempts' })
  expect(await look({ clientIp: '198.51.100.8' })).toBe('seen')
  expect(await look({ embedId: 'other' })).toBe('seen')
  clock.advance(MINUTES)
  expect(await look()).toBe('seen')
})

test('all addresses together look through a link so often and no more', async () => {
  const looks = createLooks(fakeClock())
  const look = (at: number, embedId = 'one') =>
    looks({ ...LOOK, embedId, clientIp: `10.0.${at % 200}.1` }, async () => 'seen')
  for (let at = 0; at < 6_000; at++) await look(at)
  await expect(look(0)).rejects.toMatchObject({ code: 'TooManyAttempts' })
  expect(await look(0, 'other')).toBe('seen')
})

test('a few look at once, and what finds no place is refused', async () => {
  const looks = createLooks(fakeClock())
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  let running = 0
  const answers = Array.from({ length: 120 }, () =>
    looks(LOOK, () => {
      running++
      return gate
    }),
  )
  const ends = Promise.allSettled(answers)
  expect(running).toBe(4)
  open()
  const refused = (await ends).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(16)
})
