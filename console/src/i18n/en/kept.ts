export const kept = {
  kind: {
    queries: 'Saved queries, with those in the bin',
    history: 'Long texts in the history',
    tasks: 'Texts of tasks and materialized views',
  },
  used: '{used} of {most} used',
  own: { title: 'What is kept for you', failed: 'What is kept for you could not be read' },
  account: {
    title: 'What is kept for this account',
    failed: 'What is kept for this account could not be read',
    lead: 'Beyond these sizes, saving is refused; of the history the oldest long texts are shortened.',
    most: 'Most: {users}',
  },
}
