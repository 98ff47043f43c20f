import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { SHELL_STATES } from '@boathouse/contract/account-state'
import { expect, test } from 'vitest'
import { pollAccount } from './account-poll.ts'

function poll(answers: (number | Error)[]) {
  const clock = fakeClock()
  const seen = { asked: 0, changes: [] as number[], closed: 0 }
  const stop = pollAccount({
    clock,
    firstState: SHELL_STATES.Active,
    ask: () => {
      const answer = answers[Math.min(seen.asked++, answers.length - 1)]
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? 0)
    },
    stateChanged: (state) => seen.changes.push(state),
    accountClosed: () => seen.closed++,
  })
  /** Lets the answer arrive, then moves the clock. */
  const after = async (ms: number) => {
    await Promise.resolve().then(() => Promise.resolve())
    clock.advance(ms)
    await Promise.resolve().then(() => Promise.resolve())
    return seen.asked
  }
  return { seen, after, stop, clock }
}

test('an active account is polled every 60 s [SHELL-77, SHELL-79]', async () => {
  const { after } = poll([SHELL_STATES.Active])
  expect(await after(59_999)).toBe(1)
  expect(await after(1)).toBe(2)
  expect(await after(60_000)).toBe(3)
})

test.each([SHELL_STATES.Frozen, SHELL_STATES.FrozenForDeletion, SHELL_STATES.Resuming])(
  'in state %i the account is polled every 3 s [SHELL-78]',
  async (state) => {
    const { after, seen } = poll([state])
    expect(await after(2_999)).toBe(1)
    expect(await after(1)).toBe(2)
    expect(await after(3_000)).toBe(3)
    expect(seen.changes).toEqual([state])
  },
)

test('a state below 0 ends the login and the poll [ACCOUNT-51]', async () => {
  const { after, seen, clock } = poll([-1])
  await after(600_000)
  expect(seen).toMatchObject({ asked: 1, closed: 1 })
  expect(clock.timers()).toBe(0)
})

test('a failed answer changes nothing, and the poll continues', async () => {
  const { after, seen } = poll([new Error('down'), SHELL_STATES.Active])
  expect(await after(60_000)).toBe(2)
  expect(seen).toMatchObject({ changes: [], closed: 0 })
})

test('nothing is polled after the poll was stopped', async () => {
  const { after, stop } = poll([SHELL_STATES.Active])
  stop()
  expect(await after(600_000)).toBe(1)
})
