export const asCode = {
  title: 'As code',
  form: 'Show as',
  sql: 'SQL',
  http: 'HTTP call',
  sqlOf: 'SQL: {what}',
  httpOf: 'HTTP call: {what}',
  nothing: 'Nothing was changed yet',
  nothingText: 'What you change in this window is shown here as SQL and as an HTTP call, ready to copy.',
  noStatement: 'There is no statement for this; see the HTTP call.',
  secrets: 'Passwords and other secrets are not kept; put them in place of the dots.',
}
