import { expect, test } from 'vitest'
import { MOST_COLUMNS, statisticsSql } from './statistics-sql.ts'

const OF = { catalog: 'default_catalog', database: 'my "db"', name: 'boats' }

test('each column has a row, with what its type allows and its name quoted', () => {
  const sql = statisticsSql(OF, [
    { name: `o'brien "x"`, type: 'VARCHAR' },
    { name: 'oars', type: 'UINTEGER' },
    { name: 'crew', type: 'STRUCT(name VARCHAR)' },
  ])
  const [text = '', number = '', struct = ''] = sql.split('UNION ALL')
  expect(text).toContain(`1 AS place, 'o''brien "x"' AS column_name`)
  expect(text).toContain(`CAST(max("o'brien ""x""") AS VARCHAR) AS maximum, CAST(NULL AS DOUBLE) AS average`)
  expect(text).toContain(`FROM "default_catalog"."my ""db"""."boats"`)
  expect(number).toContain('avg(CAST("oars" AS DOUBLE)) AS average')
  expect(struct).toContain('CAST(NULL AS VARCHAR) AS minimum')
  expect(struct).toContain('count(DISTINCT "crew")')
  expect(sql.endsWith('ORDER BY place;\n')).toBe(true)
})

test('of a very wide table the first columns are summed up', () => {
  const columns = Array.from({ length: MOST_COLUMNS + 5 }, (_, at) => ({ name: `c${at}`, type: 'INTEGER' }))
  expect(statisticsSql(OF, columns).split('UNION ALL')).toHaveLength(MOST_COLUMNS)
})
