import type { Client } from '../client.ts'
import { decodeText } from '../wire/charsets.ts'
import { ProtocolError } from '../wire/protocol-error.ts'

/** The text of a statement. One that the service would refuse for its length costs nobody else the time to look at it. */
export function readText({ session, settings }: Client, bytes: Buffer): string {
  const text = decodeText(bytes, session.clientCharset)
  const most = settings.mostTextLength
  if (text.length <= most) return text
  const message = `This text has ${text.length} characters. The maximum is ${most}: send it in parts.`
  throw new ProtocolError(1153, '08S01', message)
}
