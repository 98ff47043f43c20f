import { CAN } from './flags.ts'
import { PayloadBuilder } from './payload-builder.ts'

export const NONCE_BYTES = 20
const UTF8MB4 = 45
const AUTOCOMMIT = 2

export interface Greeting {
  readonly version: string
  /** Of the connection, as `KILL` names it. */
  readonly connection: number
  readonly nonce: Buffer
  readonly capabilities: number
  readonly plugin: string
}

/** The first packet of a connection. */
export function greetingPacket({ version, connection, nonce, capabilities, plugin }: Greeting): Buffer {
  return new PayloadBuilder()
    .byte(10)
    .zeroEndedText(version)
    .uint32(connection)
    .bytes(nonce.subarray(0, 8))
    .byte(0)
    .uint16(capabilities & 0xffff)
    .byte(UTF8MB4)
    .uint16(AUTOCOMMIT)
    .uint16(capabilities >>> 16)
    .byte(NONCE_BYTES + 1)
    .zeros(10)
    .bytes(nonce.subarray(8))
    .byte(0)
    .zeroEndedText(plugin)
    .build()
}

/** What this side can do. */
export function offeredCapabilities(offers: { localFiles: boolean; zstd: boolean; tls: boolean }): number {
  const { localFiles, zstd, tls, ...always } = CAN
  const base = Object.values(always).reduce((sum, flag) => sum | flag, 0)
  return (
    (base | (offers.localFiles ? localFiles : 0) | (offers.zstd ? zstd : 0) | (offers.tls ? tls : 0)) >>> 0
  )
}
