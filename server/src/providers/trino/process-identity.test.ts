import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuMsOf, end, identify, isAlive } from './process-identity.ts'

test('a process is known by its number and when it began, until it has ended', async () => {
  const child = spawn('sleep', ['600'])
  const ended = once(child, 'exit')
  const identity = await identify(child.pid ?? 0)
  if (!identity) throw new Error('The process is not there.')
  expect(await isAlive(identity)).toBe(true)
  expect(await cpuMsOf(identity)).toBeGreaterThanOrEqual(0)
  expect(await isAlive({ ...identity, startedAt: 'another time' })).toBe(false)
  await end({ ...identity, startedAt: 'another time' }, 0)
  expect(child.exitCode).toBeNull()
  await end(identity, 10_000)
  await ended
  expect(await isAlive(identity)).toBe(false)
  expect(await identify(identity.pid)).toBeNull()
})

test('one that is stopped, and hears nothing, is ended all the same', async () => {
  const child = spawn('sleep', ['600'])
  const identity = await identify(child.pid ?? 0)
  if (!identity) throw new Error('The process is not there.')
  process.kill(identity.pid, 'SIGSTOP')
  await end(identity, 0)
  expect(await isAlive(identity)).toBe(false)
})
