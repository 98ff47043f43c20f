/** Menus of where and on what a query runs. */
export const pickers = {
  warehouse: 'Warehouse of this query',
  sizeAndPrice: '{size}, {usd} USD per hour',
  database: 'Databases of {catalog}',
  catalog: 'Catalogs',
  showInTree: 'Show in tree',
  runPrice: '{warehouse} costs {usd} USD per hour while it runs.',
  severalStatements: 'Several statements are selected. You see the cost of each after it runs.',
  noFinishedRun: 'No cost estimate: this text has no finished run yet.',
  earlierRuns_one: 'Its last run took {took}.',
  earlierRuns_other: 'Its last {count} runs took {took}.',
  earlierCosts_one: 'Its last run took {took} and cost {usd} USD.',
  earlierCosts_other: 'Its last {count} runs took {took} and cost {usd} USD.',
  to: ' to ',
  limit: 'Maximum rows of a SELECT',
}
