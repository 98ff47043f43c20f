/** Menus of where and on what a query runs. */
export const pickers = {
  warehouse: 'Warehouse of this query',
  sizeAndPrice: '{size}, {usd} USD an hour',
  database: 'Databases of {catalog}',
  catalog: 'Catalogs',
  showInTree: 'Find it in the tree',
  runPrice: '{warehouse} costs {usd} USD an hour while it runs.',
  severalStatements: 'Several statements are selected: what each costs is told when it has run.',
  noFinishedRun: 'No finished run of this text is known: what it costs cannot be told.',
  earlierRuns_one: 'Its last run took {took}.',
  earlierRuns_other: 'Its last {count} runs took {took}.',
  earlierCosts_one: 'Its last run took {took} and cost {usd} USD.',
  earlierCosts_other: 'Its last {count} runs took {took} and cost {usd} USD.',
  to: ' to ',
  limit: 'Rows that a SELECT computes',
}
