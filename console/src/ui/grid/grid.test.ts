import { describe, expect, test } from 'vitest'
import { clampWidth, fittedWidth, gutterWidth, initialWidths, WIDEST_PX } from './grid-columns.ts'
import { pressKey, rangeOf, selectAll, selectCell, selectColumn, selectRow } from './grid-selection.ts'
import type { PressedKey, Selection } from './grid-selection.ts'
import type { GridCells } from './grid-rows.ts'
import { cutIn, tableToTsv, toTsv } from './grid-tsv.ts'

const SIZE = { rows: 100, columns: 10, page: 20 }
const at = (row: number, column: number) => selectCell({ row, column })
const press = (selection: Selection, key: string, over: Partial<PressedKey> = {}, size = SIZE) =>
  pressKey(selection, { key, mod: false, shift: false, ...over }, size)
const focusAfter = (selection: Selection, key: string, over: Partial<PressedKey> = {}) => {
  const { row, column } = press(selection, key, over)!.focus
  return [row, column]
}

describe('keys in the result grid', () => {
  test('arrows move by one and stop at the edges; up from the first row is the header', () => {
    expect(focusAfter(at(5, 5), 'ArrowDown')).toEqual([6, 5])
    expect(focusAfter(at(5, 5), 'ArrowLeft')).toEqual([5, 4])
    expect(focusAfter(at(99, 9), 'ArrowDown')).toEqual([99, 9])
    expect(focusAfter(at(99, 9), 'ArrowRight')).toEqual([99, 9])
    expect(focusAfter(at(0, 3), 'ArrowUp')).toEqual([-1, 3])
    expect(focusAfter(at(-1, 3), 'ArrowUp')).toEqual([-1, 3])
    expect(focusAfter(at(-1, 3), 'ArrowDown')).toEqual([0, 3])
  })

  test('Home and End go to the ends of the row, with Mod to the corners', () => {
    expect(focusAfter(at(5, 5), 'Home')).toEqual([5, 0])
    expect(focusAfter(at(5, 5), 'End')).toEqual([5, 9])
    expect(focusAfter(at(5, 5), 'Home', { mod: true })).toEqual([0, 0])
    expect(focusAfter(at(5, 5), 'End', { mod: true })).toEqual([99, 9])
  })

  test('the page keys move by what fits on the screen', () => {
    expect(focusAfter(at(5, 5), 'PageDown')).toEqual([25, 5])
    expect(focusAfter(at(90, 5), 'PageDown')).toEqual([99, 5])
    expect(focusAfter(at(5, 5), 'PageUp')).toEqual([0, 5])
  })

  test('Shift extends a range of values, which never reaches into the header', () => {
    const one = press(at(1, 1), 'ArrowDown', { shift: true })!
    const two = press(one, 'ArrowRight', { shift: true })!
    expect(rangeOf(two)).toEqual({ top: 1, bottom: 2, left: 1, right: 2 })
    const up = press(at(0, 1), 'ArrowUp', { shift: true })!
    expect(rangeOf(up)).toEqual({ top: 0, bottom: 0, left: 1, right: 1 })
    expect(rangeOf(press(two, 'ArrowLeft')!)).toEqual({ top: 2, bottom: 2, left: 1, right: 1 })
  })

  test('other keys are not the grid’s', () => {
    expect(press(at(0, 0), 'x')).toBeNull()
    expect(press(at(0, 0), 'Tab')).toBeNull()
  })

  test('an empty result has only its header', () => {
    const empty = { rows: 0, columns: 3, page: 1 }
    expect(press(at(-1, 0), 'ArrowDown', {}, empty)?.focus).toEqual({ row: -1, column: 0 })
    expect(press(at(-1, 0), 'End', { mod: true }, empty)?.focus).toEqual({ row: -1, column: 2 })
    expect(selectAll(empty).focus.row).toBe(-1)
    expect(selectColumn(1, empty).focus).toEqual({ row: -1, column: 1 })
  })

  test('rows, columns and everything can be selected', () => {
    expect(rangeOf(selectRow(4, SIZE))).toEqual({ top: 4, bottom: 4, left: 0, right: 9 })
    expect(rangeOf(selectColumn(4, SIZE))).toEqual({ top: 0, bottom: 99, left: 4, right: 4 })
    expect(rangeOf(selectAll(SIZE))).toEqual({ top: 0, bottom: 99, left: 0, right: 9 })
  })
})

/** Values whose row and column have the same number are cut. */
const diagonal = { lengthAt: (row: number, column: number) => (row === column ? 5000 : undefined) }

describe('copied values', () => {
  const all: GridCells[] = [
    ['9007199254740993', 'plain', null],
    ['1.50', 'with\ttab', ''],
    ['-0.000', 'a "quote"\nand a line', 'x'],
  ]
  const rows = { at: (index: number) => all[index] }

  test('are exact, separated by tabs and line breaks', () => {
    expect(toTsv(rows, { top: 0, bottom: 1, left: 0, right: 0 })).toBe('9007199254740993\n1.50')
  })

  test('are quoted where a spreadsheet would else split them, and NULL is not an empty text', () => {
    expect(toTsv(rows, { top: 0, bottom: 2, left: 1, right: 2 })).toBe(
      'plain\t\n"with\ttab"\t""\n"a ""quote""\nand a line"\tx',
    )
  })

  test('of a single cell are the value itself', () => {
    expect(toTsv(rows, { top: 2, bottom: 2, left: 1, right: 1 })).toBe('a "quote"\nand a line')
    expect(toTsv(rows, { top: 0, bottom: 0, left: 2, right: 2 })).toBe('')
  })

  test('cannot be copied when a row of them is not loaded', () => {
    expect(toTsv(rows, { top: 2, bottom: 3, left: 0, right: 0 })).toBeNull()
    expect(toTsv(rows, { top: 3, bottom: 3, left: 0, right: 0 })).toBeNull()
  })

  test('that are cut are counted', () => {
    expect(cutIn(diagonal, { top: 0, bottom: 2, left: 1, right: 2 })).toBe(2)
  })

  test('of the whole result carry the names of the columns', () => {
    expect(tableToTsv(['a', 'b\tc'], [['1', null]])).toBe('a\t"b\tc"\n1\t')
  })
})

describe('the width of a column', () => {
  const columns = [
    { name: 'id', type: 'INTEGER', family: 'number' },
    { name: 'text', type: 'VARCHAR', family: 'text' },
  ] as const

  test('fits its name, its type and its values within bounds', () => {
    const [id = 0, text = 0] = initialWidths(columns, [['1', 'x'.repeat(500)]])
    expect(id).toBeGreaterThan('id INTEGER'.length * 6)
    expect(id).toBeLessThan(140)
    expect(text).toBe(360)
    expect(fittedWidth(columns, [['1', 'x'.repeat(70)]], 1)).toBeGreaterThan(500)
  })

  test('counts wide characters twice', () => {
    const [latin = 0] = initialWidths([columns[1]], [['x'.repeat(30)]])
    const [chinese = 0] = initialWidths([columns[1]], [['北'.repeat(30)]])
    expect(chinese).toBeGreaterThan(latin * 1.3)
  })

  test('of the row numbers fits the last one', () => {
    expect(gutterWidth(10)).toBe(52)
    expect(gutterWidth(1_000_000)).toBeGreaterThan(70)
  })

  test('can be made neither too small to see nor endless', () => {
    expect(clampWidth(-5)).toBe(56)
    expect(clampWidth(99_999)).toBe(WIDEST_PX)
  })
})
