/** The first rows of a statement while it is written. */
export const preview = {
  label: 'Preview',
  statement: 'Statement at the cursor',
  cte: '{name}, from WITH',
  rows_one: '{count} row',
  rows_other: '{count} rows',
  first: 'First {count} rows',
  grid: 'Rows of the preview',
  close: 'Close preview',
  nothing: 'Write a statement that reads. Its first rows appear here when you pause.',
  changes: 'This statement changes something, so it has no preview. Run it when it is ready.',
  long: 'This statement is too long for a preview. Run it to see its rows.',
  unbound: 'Give {name} a value above to see a preview.',
  suspended: 'The warehouse is suspended. A preview does not resume it on its own.',
  resume: 'Resume and preview',
  loading: 'Loading preview…',
  bounds:
    'A preview reads only, shows {rows} rows at most and stops after {seconds} s. It costs as any statement.',
}
