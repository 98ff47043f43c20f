/** Rows as a picture. */
export const chart = {
  kind: 'Kind of chart',
  kinds: { bar: 'Bar', line: 'Line', area: 'Area', scatter: 'Scatter', number: 'Number' },
  x: 'Along the chart',
  y: 'Value {number}',
  none: 'None',
  add: 'Add a value',
  points: 'Points of the chart. The same values are among the rows.',
  nothing: 'There is nothing to draw',
  nothingBody: 'A chart needs at least one row and a column of numbers.',
  firstOf: 'the first of {rows} rows',
}
