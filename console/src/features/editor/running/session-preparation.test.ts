import { CONSOLE_MARKER } from '@boathouse/contract/console-marker'
import { analyse, readSetWarehouse, readUse } from '@boathouse/sql'
import { describe, expect, test } from 'vitest'
import { openedTab } from '../tabs/editor-tab.ts'
import type { Tab } from '../tabs/editor-tab.ts'
import { answerRun, newRun } from './run.ts'
import { limitOf, preparationOf } from './session-preparation.ts'
import { answer } from '../testing/answers.ts'

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
    sample: false,
    chart: null,
    parameters: [],
    access: 'own' as const,
    owner: 'ann',
  }),
  ...over,
})

const SHOW = `SHOW ${CONSOLE_MARKER} VARIABLES`

describe('what brings a new connection to its tab’s place', () => {
  test('is nothing when the connection is there already', () => {
    expect(preparationOf(tab({ catalog: 'a', database: 'b', connId: 4, isPrepared: true }))).toBeNull()
  })

  test('is SHOW VARIABLES, SET WAREHOUSE, then USE or SET CATALOG, each marked as the console’s [EDITOR-39, EDITOR-41]', () => {
    const all = preparationOf(tab({ catalog: 'lake', database: 'sales', warehouse: 'wh_bi', connId: -1 }))
    expect(all).toBe(
      `${SHOW};\nSET ${CONSOLE_MARKER} WAREHOUSE "wh_bi";\nUSE ${CONSOLE_MARKER} "lake"."sales"`,
    )
    expect(preparationOf(tab({ catalog: 'lake' }))).toBe(`${SHOW};\nSET ${CONSOLE_MARKER} CATALOG "lake"`)
    expect(preparationOf(tab({ database: 'sales' }))).toBe(`${SHOW};\nUSE ${CONSOLE_MARKER} "sales"`)
    expect(preparationOf(tab({}))).toBe(SHOW)
  })

  test('is read by the service as what it is, whatever the names hold', () => {
    const text = preparationOf(tab({ catalog: 'my "own"; catalog', database: 'a.b', warehouse: 'w' })) ?? ''
    const { statements } = analyse(text)
    expect(statements.map(({ kind }) => kind)).toEqual(['show-variables', 'set-warehouse', 'use-database'])
    expect(statements.every((statement) => statement.text.includes(CONSOLE_MARKER))).toBe(true)
    const [, second, third] = statements
    expect(second && readSetWarehouse(second)).toEqual({ warehouse: 'w' })
    expect(third && readUse(third)).toEqual({ catalog: 'my "own"; catalog', database: 'a.b' })
  })

  test.each([
    ['999', null],
    ['1000', null],
    ['1001', `SET ${CONSOLE_MARKER} sql_select_limit=1000`],
    ['18446744073709551615', `SET ${CONSOLE_MARKER} sql_select_limit=1000`],
  ])('is with a select limit of %s followed by %s [EDITOR-36, EDITOR-37]', (value, statement) => {
    const start = { requestId: 'request-1', sql: SHOW, from: 0, visible: false, now: 0 }
    const result = [
      ['query_timeout', '300'],
      ['sql_select_limit', value],
    ]
    expect(limitOf(answerRun(newRun(start), answer(start, { result }), 1))).toBe(statement)
  })

  test.each([
    ['1000', '10000', `SET ${CONSOLE_MARKER} sql_select_limit=10000`],
    ['10000', '10000', null],
    ['18446744073709551615', 'none', null],
    ['10000', 'none', `SET ${CONSOLE_MARKER} sql_select_limit=none`],
  ])('is with a select limit of %s, where %s was chosen, followed by %s', (value, chosen, statement) => {
    const start = { requestId: 'request-1', sql: SHOW, from: 0, visible: false, now: 0 }
    const result = [['sql_select_limit', value]]
    expect(limitOf(answerRun(newRun(start), answer(start, { result }), 1), chosen)).toBe(statement)
  })
})
