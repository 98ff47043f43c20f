import { LINK_WINDOW_BYTES } from '../../link/frames.ts'
import type { Client } from '../client.ts'
import { CAN } from '../wire/flags.ts'

const FILE_WANTED = 0xfb

/** How much of a file is on its way to the server. */
export interface FileWindow {
  sent(bytes: number): void
  granted(bytes: number): void
  /** Resolves when more may be sent. */
  room(): Promise<void>
  fail(error: Error): void
}

export function newFileWindow(): FileWindow {
  let onTheWay = 0
  let failure: Error | null = null
  let waiting: { resolve(): void; reject(error: Error): void } | null = null
  return {
    sent: (bytes) => {
      onTheWay += bytes
    },
    granted(bytes) {
      onTheWay -= bytes
      if (onTheWay < LINK_WINDOW_BYTES) waiting?.resolve()
    },
    async room() {
      if (failure) throw failure
      if (onTheWay < LINK_WINDOW_BYTES) return
      await new Promise<void>((resolve, reject) => (waiting = { resolve, reject }))
      waiting = null
    },
    fail(error) {
      failure = error
      waiting?.reject(error)
    },
  }
}

/** LOCAL INFILE: asks the client for a file, and hands it on until its empty packet. */
export async function sendLocalFile(client: Client, name: string): Promise<void> {
  const { number, fileWindow, transport } = client
  const canSend = client.settings.allowsLocalFiles && (client.capabilities & CAN.localFiles) !== 0
  if (!canSend) {
    const error = 'Loading local files is disabled here, or in your client: allow it with --local-infile=1.'
    return client.send({ kind: 'file-sent', client: number, error })
  }
  let packet = await client.ask(Buffer.concat([Buffer.from([FILE_WANTED]), Buffer.from(name)]))
  for (; packet.length > 0; packet = await transport.reader.next()) {
    fileWindow.sent(client.sendFile(packet))
    await fileWindow.room()
  }
  client.send({ kind: 'file-sent', client: number, error: null })
}
