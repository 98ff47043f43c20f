import type { TestChannel } from './test-channel.ts'

/** Statements of one connection, one after the other. */
export const sessionOf = (channel: TestChannel) => {
  let connId = 0
  return async (sql: string) => {
    const last = (await channel.run(sql, { connId })).at(-1)
    connId = last?.connId ?? connId
    return { error: last?.errMsg ?? '', rows: last?.result ?? [], last }
  }
}
