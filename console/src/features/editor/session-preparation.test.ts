import { kindOf, readSetWarehouse, readUse, splitStatements } from '@boathouse/sql'
import { describe, expect, test } from 'vitest'
import { openedTab } from './editor-tab.ts'
import type { Tab } from './editor-tab.ts'
import { CONSOLE_MARKER, preparationOf } from './session-preparation.ts'

const tab = (over: Partial<Tab>): Tab => ({
  ...openedTab({
    tabId: 'tab-1',
    tabName: 'Query',
    parentFolderName: '',
    catalog: '',
    database: '',
    sql: '',
    revision: 1,
    hidden: false,
    active: true,
  }),
  ...over,
})

describe('what brings a new connection to its tab’s place', () => {
  test('is nothing when the tab has none, or the connection is there already', () => {
    expect(preparationOf(tab({}))).toBeNull()
    expect(preparationOf(tab({ catalog: 'a', database: 'b', connId: 4 }))).toBeNull()
  })

  test('is SET WAREHOUSE, then USE or SET CATALOG, each marked as the console’s [EDITOR-41]', () => {
    const all = preparationOf(tab({ catalog: 'lake', database: 'sales', warehouse: 'wh_bi', connId: -1 }))
    expect(all).toBe(`SET ${CONSOLE_MARKER} WAREHOUSE "wh_bi";\nUSE ${CONSOLE_MARKER} "lake"."sales"`)
    expect(preparationOf(tab({ catalog: 'lake' }))).toBe(`SET ${CONSOLE_MARKER} CATALOG "lake"`)
    expect(preparationOf(tab({ database: 'sales' }))).toBe(`USE ${CONSOLE_MARKER} "sales"`)
  })

  test('is read by the service as what it is, whatever the names hold', () => {
    const text = preparationOf(tab({ catalog: 'my "own"; catalog', database: 'a.b', warehouse: 'w' })) ?? ''
    const statements = splitStatements(text).map((statement) => statement.text)
    expect(statements.map(kindOf)).toEqual(['set-warehouse', 'use-database'])
    expect(statements.every((statement) => statement.includes(CONSOLE_MARKER))).toBe(true)
    expect(readSetWarehouse(statements[0] ?? '')).toEqual({ warehouse: 'w' })
    expect(readUse(statements[1] ?? '')).toEqual({ catalog: 'my "own"; catalog', database: 'a.b' })
  })
})
