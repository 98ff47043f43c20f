export const asCode = {
  title: 'As code',
  form: 'Show as',
  sql: 'SQL',
  http: 'HTTP call',
  sqlOf: 'SQL: {what}',
  httpOf: 'HTTP call: {what}',
  nothing: 'No changes yet',
  nothingText: 'Changes you make in this window appear here as SQL and as an HTTP call, ready to copy.',
  noStatement: 'No SQL statement does this. Use the HTTP call.',
  secrets: 'Passwords and other secrets are hidden. Replace the dots before you run this.',
}
