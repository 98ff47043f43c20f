/** Rows as a picture. */
export const chart = {
  kind: 'Chart type',
  kinds: { bar: 'Bar', line: 'Line', area: 'Area', scatter: 'Scatter', number: 'Number' },
  x: 'X axis',
  y: 'Value {number}',
  none: 'None',
  add: 'Add value',
  points: 'Chart points. The rows show the same values.',
  nothing: 'Nothing to chart',
  nothingBody: 'A chart needs at least one row and a column of numbers.',
  firstOf: 'the first of {rows} rows',
}
