export const grid = {
  keysHint:
    'Enter opens the value of a cell. In the header, Alt and the left or right arrow change the width of a column, with Shift they move it, and Enter fits it to its values. Alt and the down arrow open the menu of a column.',
  columnMenu: 'Column {name}',
  length_one: '{characters} character',
  length_other: '{characters} characters',
  openHint: 'Open the whole value',
  notAllHere:
    'Not all of these rows are loaded, so nothing was copied. Select fewer rows, or download the result.',
  copiedCut_one:
    'Copied, but {count} value is longer than shown and was cut. Open it, or download the result, for all of it.',
  copiedCut_other:
    'Copied, but {count} values are longer than shown and were cut. Open them, or download the result, for all of them.',
  null: 'NULL',
}
