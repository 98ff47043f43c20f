import { callAs, openSession, signIn } from '@boathouse/client'
import { warehouse } from '@boathouse/contract/warehouse'
import { WebSocket } from 'ws'

/** Signs in, lists the warehouses by a call, and runs a statement on the realtime channel. */
export async function runExample(say: (line: string) => void, env = process.env): Promise<void> {
  const login = await signIn({
    url: env['URL'] ?? 'http://127.0.0.1:8080',
    accountId: env['ACCOUNT'] ?? '',
    username: env['NAME'] ?? 'admin',
    password: env['PASSWORD'] ?? '',
  })

  const { warehouses } = await callAs(login, warehouse.list, {})
  for (const { name, status } of warehouses) say(`${name} is ${status}`)

  const session = await openSession(login, { WebSocket })
  try {
    const { fields, result } = await session.run('select 42 as answer')
    say(`${fields[0]?.name} = ${result[0]?.[0]}`)
  } finally {
    session.close()
  }
}
