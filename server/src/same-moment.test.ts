import { MESSAGE_TYPES, objectOf } from '@boathouse/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createListedGrantsStore } from './modules/access/listed-grants-store.ts'
import { createObjectGrantsStore } from './modules/access/object-grants-store.ts'
import { unreadMessages } from './modules/message/store.ts'
import { startApp } from './testing/start-app.ts'

test('what came about in one moment is listed in an order of its own, not as its rows happen to lie', async () => {
  const app = await startApp()
  const { db } = app.store
  const { accountId } = app
  const at = app.clock.now()
  await sql`insert into roles (account_id, name, comment, created_by, created_at)
    select ${accountId}, 'crew_' || n, '', 'test', ${at} from generate_series(1, 9) n`.execute(db)
  await sql`insert into grants
    (account_id, role, object_type, catalog_id, database, name, privileges, grantable, granted_by, granted_at)
    select ${accountId}, 'crew_' || n, 'warehouse', '', '', '', array['USAGE'], array[]::text[], 'test', ${at}
    from generate_series(1, 9) n`.execute(db)
  await sql`insert into messages (message_id, account_id, user_id, type, created_at)
    select gen_random_uuid(), account_id, user_id, ${sql.lit(MESSAGE_TYPES.TrialStarted)}, ${at}
    from users, generate_series(1, 9) where account_id = ${accountId}`.execute(db)

  const newest = Array.from({ length: 9 }, (_, index) => `crew_${9 - index}`)
  const { grantsOn } = createObjectGrantsStore(db)
  const onObject = await grantsOn(accountId, objectOf('warehouse', { name: '' }), 9)
  expect(onObject.map(({ role }) => role)).toEqual(newest)
  const everyones = await createListedGrantsStore(db).newestGrants(accountId, null, 9)
  expect(everyones.map(({ role }) => role)).toEqual(newest)

  const { user_id: userId } = await db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const messages = (await unreadMessages(db, userId, 9)).map(({ message_id: id }) => id)
  expect(messages).toEqual(messages.toSorted())
  expect(messages).toHaveLength(9)
})
