import { answerTo, fakeSockets } from '@boathouse/client/testing/fake-socket'
import type { FakeSocket, FakeSockets } from '@boathouse/client/testing/fake-socket'
import { CONSOLE_MARKER } from '@boathouse/contract/console-marker'
import type { QueryReq, QueryRsp } from '@boathouse/contract/realtime'
import { analyse, readUse } from '@boathouse/sql'

const isUsers = (req: QueryReq): boolean => !req.sql.includes(CONSOLE_MARKER)

const TEXT = { type: 'VARCHAR', family: 'text' } as const
const VARIABLES: Partial<QueryRsp> = {
  fields: [
    { name: 'Variable_name', ...TEXT },
    { name: 'Value', ...TEXT },
  ],
  result: [['sql_select_limit', '1000']],
}

/** One answer for each statement, each with the place the connection has reached. */
export function answerPreparation(socket: FakeSocket, req: QueryReq, over: Partial<QueryRsp> = {}): void {
  const { statements } = analyse(req.sql)
  let place: Partial<QueryRsp> = { db: 'main' }
  for (const [statementIndex, statement] of statements.entries()) {
    const { kind, start, end } = statement
    const used = readUse(statement)
    if (used) place = { db: used.database, ...(used.catalog && { catalog: used.catalog }) }
    const result = kind === 'show-variables' ? VARIABLES : { fields: [], result: [] }
    const part = {
      statementIndex,
      statementCount: statements.length,
      statementStart: start,
      statementEnd: end,
    }
    socket.deliver(answerTo(req, { ...part, ...result, ...place, ...over }))
  }
}

/** Of a service that prepares every connection at once, so that `queries` are the user's own. */
export function preparedSockets(): FakeSockets {
  const sockets = fakeSockets()
  return {
    ...sockets,
    open(url) {
      const socket = sockets.open(url)
      const { send, queries } = socket
      socket.queries = () => queries().filter(isUsers)
      socket.send = (text) => {
        send(text)
        const last = socket.sent.at(-1)
        if (last?.cmd === 2 && !isUsers(last.queryReq)) answerPreparation(socket, last.queryReq)
      }
      return socket
    },
  }
}
