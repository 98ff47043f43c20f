// BOATHOUSE_URL, and either BOATHOUSE_KEY or BOATHOUSE_ACCOUNT, BOATHOUSE_USER and BOATHOUSE_PASSWORD.
import { connect } from '@boathouse/client'

const {
  BOATHOUSE_URL: url = 'http://127.0.0.1:8080',
  BOATHOUSE_KEY: key,
  BOATHOUSE_ACCOUNT: account = '',
  BOATHOUSE_USER: user = 'admin',
  BOATHOUSE_PASSWORD: password = '',
} = process.env

const boathouse = await connect(key ? { url, key } : { url, account, user, password })
try {
  const { warehouses } = await boathouse.api.warehouse.list()
  for (const { name, status } of warehouses) console.log(`${name} is ${status}`)

  const session = await boathouse.session()
  const result = await session.run('select 42 as answer union all select 43 order by 1')
  console.log(result.fields.map(({ name }) => name).join(', '))
  for await (const row of result) console.log(row.join(', '))
} finally {
  await boathouse.close()
}
