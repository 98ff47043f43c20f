export const kept = {
  kind: {
    queries: 'Saved queries, including deleted ones',
    history: 'Long texts in the history',
    tasks: 'Texts of tasks and materialized views',
  },
  used: '{used} of {most} used',
  own: { title: 'Your storage', failed: 'Your storage could not be read' },
  account: {
    title: 'Account storage',
    failed: 'The account storage could not be read',
    lead: 'At the limit, new queries are not saved. The oldest long texts in the history are shortened.',
    most: 'Largest: {users}',
  },
}
