import { expect, test } from 'vitest'
import { classify } from '../kinds/kinds.ts'
import { readStatement } from '../statement.ts'
import { readSavepoint, readTransaction } from './transaction-statements.ts'

const END = { chains: false, releases: false }

test.each([
  ['BEGIN', { does: 'begin', isReadOnly: false }],
  ['begin work;', { does: 'begin', isReadOnly: false }],
  ['START TRANSACTION', { does: 'begin', isReadOnly: false }],
  ['START TRANSACTION WITH CONSISTENT SNAPSHOT', { does: 'begin', isReadOnly: false }],
  ['START TRANSACTION READ WRITE', { does: 'begin', isReadOnly: false }],
  ['START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', { does: 'begin', isReadOnly: true }],
  ['COMMIT', { does: 'commit', ...END }],
  ['END', { does: 'commit', ...END }],
  ['COMMIT WORK AND NO CHAIN NO RELEASE', { does: 'commit', ...END }],
  ['COMMIT AND CHAIN', { does: 'commit', chains: true, releases: false }],
  ['ROLLBACK', { does: 'rollback', ...END }],
  ['ROLLBACK RELEASE', { does: 'rollback', chains: false, releases: true }],
  ['ROLLBACK WORK AND CHAIN NO RELEASE', { does: 'rollback', chains: true, releases: false }],
  ['START', null],
  ['START WORK', null],
  ['START TRANSACTION READ', null],
  ['BEGIN 1', null],
  ['COMMIT AND', null],
  ['COMMIT x', null],
  ['SELECT 1', null],
])('%s is read as %j', (sql, expected) => {
  expect(readTransaction(readStatement(sql))).toEqual(expected)
})

test.each([
  ['SAVEPOINT a', { does: 'set', name: 'a' }],
  ['savepoint `Sa_1`', { does: 'set', name: 'sa_1' }],
  ['RELEASE SAVEPOINT a', { does: 'release', name: 'a' }],
  ['ROLLBACK TO a', { does: 'undo', name: 'a' }],
  ['ROLLBACK WORK TO SAVEPOINT a;', { does: 'undo', name: 'a' }],
  ['rollback to savepoint `a`', { does: 'undo', name: 'a' }],
  ['SAVEPOINT', null],
  ['SAVEPOINT a b', null],
  ['ROLLBACK', null],
])('%s is read as %j', (sql, expected) => {
  expect(readSavepoint(readStatement(sql))).toEqual(expected)
  if (expected) expect(classify(readStatement(sql))).toEqual({ kind: 'savepoint', class: 'session' })
})
