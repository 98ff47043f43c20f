/** Help by a model that the operator has configured. */
export const assistant = {
  title: 'Ask the assistant',
  loading: 'Looking for an assistant…',
  none: 'No assistant is configured',
  noneWhy:
    'An operator can set BOATHOUSE_ASSISTANT_URL to a model, also one on the same machine. Until then nothing is sent anywhere. Errors are explained without it, below their message.',
  failed: 'The assistant could not be looked up',
  task: 'What you want',
  tasks: { error: 'Explain the error', statement: 'Explain the statement', draft: 'Write a statement' },
  question: 'Question',
  questionPlaceholder: 'Revenue by region and month of last year',
  tables: 'Add tables of {place} with their columns',
  text: 'Text to send',
  textHelp: 'Exactly this is sent to {model} at {host}. Rows are never added. You can change it.',
  empty: 'There is no statement at the cursor.',
  noError: 'The last run of this query did not fail.',
  send: 'Send to {host}',
  answer: 'Answer',
  check: 'Written by a model: check it before you run it.',
  insert: 'Insert SQL',
  copy: 'Copy answer',
}
