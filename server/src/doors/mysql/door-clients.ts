import type { Command, ClientParts } from './client.ts'
import { DoorClient } from './client.ts'
import type { SqlError, ToServer } from './link/messages.ts'

type OfClient = Extract<ToServer, { readonly client: number }>

/** All clients of the door, by their numbers. */
export function createDoorClients(parts: Omit<ClientParts, 'statisticsOf'>) {
  const clients = new Map<number, DoorClient>()
  const startedAt = performance.now()

  /** As `status` of a command line shows it; of the account of who asks alone. */
  function statisticsOf(accountId: string): string {
    const own = [...clients.values()].filter((client) => client.accountId === accountId)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const questions = own.reduce((sum, client) => sum + client.questions, 0)
    const perSecond = (questions / Math.max(1, seconds)).toFixed(3)
    return `Uptime: ${seconds}  Threads: ${own.length}  Questions: ${questions}  Queries per second avg: ${perSecond}`
  }

  function clientFor(command: Command): DoorClient | undefined {
    const known = clients.get(command.client)
    if (known || command.kind !== 'sign-in') return known
    const client = new DoorClient(command.client, { ...parts, statisticsOf })
    clients.set(command.client, client)
    return client
  }

  return {
    receive(message: OfClient): void {
      const client = clients.get(message.client)
      if (message.kind === 'granted') return client?.granted(message.bytes)
      if (message.kind === 'file-sent') return client?.fileSent(message.error)
      if (message.kind !== 'gone') return void clientFor(message)?.receive(message)
      clients.delete(message.client)
      void client?.gone()
    },

    receiveFile: (client: number, bytes: Uint8Array): void => clients.get(client)?.fileReceived(bytes),

    /** The process has ended, and with it all sockets. */
    async allGone(): Promise<void> {
      const all = [...clients.values()]
      clients.clear()
      await Promise.all(all.map((client) => client.gone()))
    },

    async sendAllAway(why: SqlError): Promise<void> {
      const all = [...clients.values()]
      clients.clear()
      await Promise.all(all.map((client) => client.sendAway(why)))
    },

    /** Who is idle does not ask for anything, and so does not learn that they may not be here any more. */
    async check(): Promise<void> {
      for (const client of clients.values()) await client.check()
    },

    /** Revoked or rotated: who came with it is asked at once. */
    keyChanged(keyId: string): void {
      for (const client of clients.values())
        if (client.keyId === keyId)
          client
            .check()
            .catch((error: unknown) => parts.log.error({ err: error }, 'an API key was not checked'))
    },

    firewallChanged(accountId: string, letsIn: (address: string) => boolean): void {
      for (const client of clients.values()) if (client.accountId === accountId) client.requireAddress(letsIn)
    },
  }
}
