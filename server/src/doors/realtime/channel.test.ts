import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { AppError } from '../../kernel/app-error.ts'
import { createLog } from '../../kernel/log.ts'
import type { Queries } from '../../modules/query/service.ts'
import { actorWith } from '../../testing/actor.ts'
import { Channel } from './channel.ts'

/** As much of a socket as a channel uses, without a line behind it. */
class BareSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  readonly bufferedAmount = 0
  send = () => undefined
  pause = () => undefined
  resume = () => undefined
}

/** A channel whose keep-alives end in these errors, one after the other. */
function failingChannel(errors: readonly Error[]) {
  const socket = new BareSocket()
  const log = createLog('silent')
  const logged = { warn: vi.spyOn(log, 'warn'), error: vi.spyOn(log, 'error') }
  const actor = actorWith('ABC12345')
  const left = [...errors]
  const keepAlive = vi.fn<Queries['keepAlive']>(() => Promise.reject(left.shift() ?? new Error('no more')))
  const channel = new Channel({
    socket: socket as unknown as WebSocket,
    actor,
    clientId: 'test',
    clientIp: '127.0.0.1',
    insId: 'test',
    queries: { keepAlive, detach: () => undefined } as unknown as Queries,
    announcements: { since: () => Promise.resolve([]) },
    now: () => Promise.resolve(actor),
    program: undefined,
    jsonReader: { read: () => Promise.reject(new Error('nothing is large')), close: async () => undefined },
    log,
  })
  onTestFinished(() => void socket.emit('close'))
  /** Each with ids of its own, and too many to be united with the one before. */
  const ask = (number: number): void => {
    const connIds = Array.from({ length: 900 }, (_, id) => 1000 * number + id)
    socket.emit('message', Buffer.from(JSON.stringify({ cmd: 1, connIds })), false)
  }
  return { channel, ask, keepAlive, logged }
}

test('an error of a kind is logged once for a channel, however often it happens', async () => {
  const errors = [
    ...Array.from({ length: 50 }, (_, number) => new Error(`not foreseen ${number}`)),
    ...Array.from({ length: 50 }, () => new AppError('Unavailable', 'The database is away.')),
  ]
  const { ask, keepAlive, logged } = failingChannel(errors)
  for (const number of errors.keys()) ask(number)
  await expect.poll(() => keepAlive.mock.calls.length, { timeout: 10_000 }).toBe(errors.length)
  await expect.poll(() => logged.warn.mock.calls.length, { timeout: 10_000 }).toBe(1)
  expect(logged.error).toHaveBeenCalledTimes(1)
})
