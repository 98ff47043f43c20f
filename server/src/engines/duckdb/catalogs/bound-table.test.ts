import { expect, test } from 'vitest'
import { cells, openSession, ownEngine, rowsOf } from '../../conformance/fixture.ts'
import { createInProcessDuckdb } from '../in-process.ts'
import { boundName } from './catalog-queries.ts'
import { boundColumns, boundObject, listedColumns, listedObject } from './description-queries.ts'

const PLACE = { catalog: 'default_catalog', database: 'main' }
const ALL = { offset: 0, limit: 100 }

const open = async () => {
  const engine = await ownEngine({ provider: createInProcessDuckdb(), kill: () => undefined })
  return { engine, session: await openSession(engine) }
}

test('a table is described by its name alone as by the list of all', async () => {
  const { session } = await open()
  await rowsOf(
    session,
    'CREATE TABLE "Bound one" (id INTEGER PRIMARY KEY, price DECIMAL(18,2) DEFAULT 1.5, more DECIMAL(9,3)[])',
  )
  await rowsOf(session, `COMMENT ON TABLE "Bound one" IS 'it''s here'`)
  await rowsOf(session, `COMMENT ON COLUMN "Bound one".price IS 'what it costs'`)
  const place = { type: 'table', ...PLACE, name: 'Bound one' } as const
  expect(await cells(session, boundName(PLACE, 'bound ONE'))).toEqual([['Bound one']])
  expect(await cells(session, boundName(PLACE, 'bound_two'))).toEqual([])
  const listed = await cells(session, listedObject(place))
  expect(listed).toEqual([["it's here", '3']])
  expect(await cells(session, boundObject(place))).toEqual(listed)
  const columns = await cells(session, listedColumns(place, ALL))
  expect(columns).toHaveLength(3)
  expect(await cells(session, boundColumns(place, ALL))).toEqual(columns)
})
