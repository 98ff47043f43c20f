export const grid = {
  keysHint:
    'Enter opens a cell. In the header, Alt and the left or right arrow resize a column; add Shift to move it. Enter fits its width. Alt and the down arrow open its menu.',
  columnMenu: 'Column {name}',
  length_one: '{characters} character',
  length_other: '{characters} characters',
  openHint: 'Open full value',
  notAllHere:
    'Not all selected rows are loaded, so nothing was copied. Select fewer rows, or download the result.',
  copiedCut_one:
    'Copied, but {count} long value was shortened. Open it or download the result for the full value.',
  copiedCut_other:
    'Copied, but {count} long values were shortened. Open them or download the result for the full values.',
  null: 'NULL',
}
