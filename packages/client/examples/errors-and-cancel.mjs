// What a failed statement says, and how a running one is stopped after two seconds.
import { CallError, connect, StatementError } from '@boathouse/client'

const { BOATHOUSE_URL: url = 'http://127.0.0.1:8080', BOATHOUSE_KEY: key = '' } = process.env

try {
  const boathouse = await connect({ url, key, program: 'my-report' })
  const session = await boathouse.session({ database: 'main' })

  try {
    await session.run('select * from no_such_table')
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    console.log(`${error.codeName} (${error.kind}) at line ${error.position?.line ?? '?'}`)
  }

  try {
    const signal = AbortSignal.timeout(2000)
    await session.run('select count(*) from range(100000) a, range(100000) b, range(100000) c', { signal })
  } catch (error) {
    console.log(error.name)
  }

  // The session is as it was.
  for await (const { alive } of (await session.run("select 'yes' as alive")).objects()) console.log(alive)
  await boathouse.close()
} catch (error) {
  if (!(error instanceof CallError)) throw error
  console.log(`${error.path}: ${error.codeName}`)
  process.exitCode = 1
}
