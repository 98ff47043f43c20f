import { expect, test } from 'vitest'
import './editor.ts'
import { t } from './texts.ts'

test('a text is found under its key, and placeholders in braces are filled in', () => {
  expect(t('ui.close')).toBe('Close')
  expect(t('shell.user.menu', { user: 'ada' })).toContain('ada')
  expect(t('shell.user.menu', { user: '{user}' })).toContain('{user}')
})

test('a count chooses between one and many', () => {
  expect(t('editor.result.rows', { count: 1, shown: '1' })).toBe('1 row')
  expect(t('editor.result.rows', { count: 2, shown: '2' })).toBe('2 rows')
  expect(t('editor.result.rows', { count: 0, shown: '0' })).toBe('0 rows')
})

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [22, '22nd'],
])('a place in line is an order: %i is %s', (count, shown) => {
  expect(t('editor.result.inLine', { count, ordinal: true, shown: count, warehouse: 'w' })).toContain(shown)
})

test('no text names the key Mod: keys are named for the platform where they are shown', () => {
  const files = import.meta.glob('./en/*.ts', { eager: true })
  expect(Object.keys(files).length).toBeGreaterThan(20)
  expect(JSON.stringify(files)).not.toMatch(/\bMod\b/)
})
