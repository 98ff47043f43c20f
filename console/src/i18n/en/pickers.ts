/** Menus of where and on what a query runs. */
export const pickers = {
  warehouse: 'Warehouse of this query',
  sizeAndPrice: '{size}, {usd} USD an hour',
  database: 'Databases of {catalog}',
  catalog: 'Catalogs',
  showInTree: 'Find it in the tree',
  limit: 'Rows that a SELECT computes',
}
