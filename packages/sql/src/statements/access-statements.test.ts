import { describe, expect, test } from 'vitest'
import * as access from './access-statements.ts'
import type { Piece } from '../text/piece.ts'
import { readStatement } from '../statement.ts'

const reading =
  <T>(read: (piece: Piece) => T) =>
  (text: string): T =>
    read(readStatement(text))

const toGrace = { grantee: { kind: 'user', name: 'grace' }, withGrantOption: false }

describe('GRANT and REVOKE', () => {
  const grant = reading(access.readGrant)
  const revoke = reading(access.readRevoke)
  const on = (privileges: string[] | 'ALL', object: access.ObjectName) => ({
    what: { privileges, object, offset: expect.any(Number) as number },
    ...toGrace,
  })

  test.each([
    ['GRANT crew TO grace', { what: { roles: ['crew'] }, ...toGrace }],
    [`grant crew, "My Role" to user 'grace';`, { what: { roles: ['crew', 'My Role'] }, ...toGrace }],
    [
      'GRANT crew TO ROLE officers',
      { what: { roles: ['crew'] }, grantee: { kind: 'role', name: 'officers' }, withGrantOption: false },
    ],
    ['GRANT SELECT ON t TO grace', on(['SELECT'], { type: 'table', path: ['t'] })],
    ['GRANT SELECT ON table.t TO grace', on(['SELECT'], { type: 'table', path: ['table', 't'] })],
    [
      'GRANT SELECT, INSERT ON TABLE c.d.t TO USER grace',
      on(['SELECT', 'INSERT'], { type: 'table', path: ['c', 'd', 't'] }),
    ],
    ['GRANT CREATE TABLE ON DATABASE d TO grace', on(['CREATE TABLE'], { type: 'database', path: ['d'] })],
    ['GRANT ALL ON SCHEMA d TO grace', on('ALL', { type: 'database', path: ['d'] })],
    ['GRANT ALL PRIVILEGES ON VIEW v TO grace', on('ALL', { type: 'view', path: ['v'] })],
    ['GRANT USAGE ON WAREHOUSE w TO grace', on(['USAGE'], { type: 'warehouse', path: ['w'] })],
    ['GRANT CREATE WAREHOUSE ON SYSTEM TO grace', on(['CREATE WAREHOUSE'], { type: 'system', path: [] })],
    [
      'GRANT SELECT ON ALL TABLES IN DATABASE d TO grace',
      on(['SELECT'], { type: 'table', path: ['d'], allIn: 'database' }),
    ],
    [
      'GRANT SELECT ON ALL TABLES IN ALL DATABASES TO grace',
      on(['SELECT'], { type: 'table', path: [], allIn: 'account' }),
    ],
    [
      'GRANT USAGE ON ALL WAREHOUSES TO grace',
      on(['USAGE'], { type: 'warehouse', path: [], allIn: 'account' }),
    ],
  ])('%s', (text, expected) => {
    expect(grant(text)).toEqual(expected)
  })

  test('the option to pass on', () => {
    expect(grant('GRANT SELECT ON t TO grace WITH GRANT OPTION')?.withGrantOption).toBe(true)
    expect(revoke('REVOKE SELECT ON t FROM grace WITH GRANT OPTION')).toBeNull()
  })

  test('taking away', () => {
    expect(revoke('REVOKE SELECT ON t FROM ROLE crew')).toMatchObject({
      grantee: { kind: 'role', name: 'crew' },
    })
    expect(revoke('REVOKE crew FROM grace')).toEqual({ what: { roles: ['crew'] }, ...toGrace })
  })

  test.each([
    'GRANT',
    'GRANT TO grace',
    'GRANT crew',
    'GRANT crew TO',
    'GRANT crew FROM grace',
    'GRANT FLY ON t TO grace',
    'GRANT SELECT ON TO grace',
    'GRANT SELECT ON ALL WAREHOUSES IN DATABASE d TO grace',
    'GRANT SELECT t TO grace',
    'GRANT SELECT ON t TO grace, ada',
    'GRANT SELECT ON t TO grace WITH OPTION',
    `GRANT crew TO 'grace`,
  ])('is not understood: %s', (text) => {
    expect(grant(text)).toBeNull()
  })
})

test('users', () => {
  const create = reading(access.readCreateUser)
  expect(create(`CREATE USER grace IDENTIFIED BY 'Rowing''26' DEFAULT ROLE crew, db_admin`)).toEqual({
    name: 'grace',
    lenient: false,
    password: `Rowing'26`,
    roles: ['crew', 'db_admin'],
  })
  expect(create(`create user if not exists 'g@x' email = 'g@x.example'`)).toEqual({
    name: 'g@x',
    lenient: true,
    email: 'g@x.example',
  })
  expect(create(`CREATE USER grace IDENTIFIED BY 'a' IDENTIFIED BY 'b'`)).toBeNull()
  expect(create(`CREATE USER grace WITH wings`)).toBeNull()
  expect(reading(access.readAlterUser)(`ALTER USER grace DEFAULT ROLE NONE`)).toMatchObject({ roles: 'NONE' })
  expect(reading(access.readAlterUser)('ALTER USER grace')).toBeNull()
  for (const clause of [`SET EMAIL 'g@x.example'`, `set email = 'g@x.example'`, `EMAIL 'g@x.example'`])
    expect(reading(access.readAlterUser)(`ALTER USER grace ${clause}`)).toEqual({
      name: 'grace',
      lenient: false,
      email: 'g@x.example',
    })
  for (const clause of ['SET EMAIL', 'SET', `EMAIL 'a' EMAIL 'b'`, `SET EMAIL g@x`])
    expect(reading(access.readAlterUser)(`ALTER USER grace ${clause}`)).toBeNull()
  expect(create(`CREATE USER grace SET EMAIL 'g@x.example'`)).toBeNull()
  expect(reading(access.readDropUser)('DROP USER IF EXISTS grace')).toEqual({ name: 'grace', lenient: true })
  expect(reading(access.readSetPassword)(`SET PASSWORD FOR grace = PASSWORD('x')`)).toEqual({
    password: 'x',
    user: 'grace',
  })
  expect(reading(access.readSetPassword)(`SET PASSWORD = 'x'`)).toEqual({ password: 'x' })
})

test('roles', () => {
  expect(reading(access.readCreateRole)(`CREATE ROLE crew COMMENT 'who rows'`)).toEqual({
    name: 'crew',
    lenient: false,
    comment: 'who rows',
  })
  expect(reading(access.readDropRole)('DROP ROLE crew')).toEqual({ name: 'crew', lenient: false })
  expect(reading(access.readSetDefaultRole)('SET DEFAULT ROLE ALL TO grace')).toEqual({
    roles: 'ALL',
    user: 'grace',
  })
  expect(reading(access.readSetDefaultRole)('SET DEFAULT ROLE crew')).toEqual({ roles: ['crew'] })
})

test.each([
  [`CREATE USER g IDENTIFIED BY 'secret'`, `CREATE USER g IDENTIFIED BY '***'`],
  [`ALTER USER "g" IDENTIFIED BY "secret"`, `ALTER USER '***' IDENTIFIED BY '***'`],
  [`SET PASSWORD FOR g = PASSWORD('it''s secret')`, `SET PASSWORD FOR g = PASSWORD('***')`],
  [`CREAT USER g IDENTIFIED BY 'secret`, `CREAT USER g IDENTIFIED BY '***'`],
  [`CREATE ROLE r COMMENT 'plain'`, `CREATE ROLE r COMMENT 'plain'`],
])('no password is left in what is kept of %s', (text, kept) => {
  expect(access.withoutSecrets(readStatement(text))).toBe(kept)
})
