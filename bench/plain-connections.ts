import { connect, type Socket } from 'node:net'

/** Fewer than one user may have loads under way. */
const MOST = 500

interface Asked {
  readonly request: string
  resolve(body: string): void
  reject(error: Error): void
}

const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/** The body of an answer that is whole; null: more of it is to come. */
function bodyIn(text: string): string | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = Number(CONTENT_LENGTH.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(length)) throw new Error(`This answer has no length: ${text.slice(0, 200)}`)
  const body = text.slice(end + 4)
  return body.length < length ? null : body
}

/**
 * Requests as texts, each on a connection of its own that stays open: what the client of Node needs for a small request is
 * a third of what it measures. Answers have to be in ASCII, with a length.
 */
export function createPlainConnections(url: string) {
  const { hostname, port } = new URL(url)
  const all = new Set<Socket>()
  const free: ((asked: Asked) => void)[] = []
  const waiting: Asked[] = []

  function opened(first: Asked): void {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let asked = first
    let text = ''
    const send = (next: Asked): void => {
      asked = next
      socket.write(next.request)
    }
    socket.setEncoding('latin1').on('data', (some: string) => {
      text += some
      const body = bodyIn(text)
      if (body === null) return
      text = ''
      asked.resolve(body)
      const next = waiting.shift()
      if (next) send(next)
      else free.push(send)
    })
    // Of one that was answered, nobody hears it.
    socket.on('error', (error) => asked.reject(error))
    socket.on('close', () => asked.reject(new Error('The connection was closed.')))
    all.add(socket)
    send(first)
  }

  return {
    ask: (request: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const asked = { request, resolve, reject }
        const send = free.pop()
        if (send) send(asked)
        else if (all.size < MOST) opened(asked)
        else waiting.push(asked)
      }),

    close: (): void => {
      for (const socket of all) socket.destroy()
    },
  }
}
