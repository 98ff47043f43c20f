export const home = {
  greeting: 'Welcome, {user}',
  intro: 'Account {account} in region {region}.',
  start: 'Start here',
  loadData: 'Load data',
  loadDataText: 'Open a query that creates a table and fills it, ready to change and run.',
  loadDataTab: 'Load data',
  loadDataSql: `-- A table of your own in three steps. Change names and values, then run all statements.
-- 1. Create it, empty. To copy an existing one instead: CREATE TABLE my_copy AS SELECT * FROM other_table;
CREATE TABLE IF NOT EXISTS my_sales (
  sold_on DATE,
  region VARCHAR,
  amount DECIMAL(12, 2)
);

-- 2. Fill it.
INSERT INTO my_sales VALUES
  ('2026-01-05', 'North', 120.50),
  ('2026-01-06', 'South', 80.00),
  ('2026-01-06', 'North', 42.25);

-- 3. Look at it.
SELECT region, COUNT(*) AS sales, SUM(amount) AS revenue
FROM my_sales
GROUP BY region
ORDER BY revenue DESC;
`,
  createQuery: 'Create query',
  createQueryTab: 'Untitled',
  createQueryText: 'Open the SQL editor and ask your data a question.',
  collaborate: 'Collaborate',
  collaborateText: 'Copy the sign-in address of this account and send it to a colleague.',
  account: 'Account details',
  accountId: 'Account ID',
  copyAccountId: 'Copy account ID',
  accountName: 'Account name',
  organisation: 'Organisation',
  region: 'Cloud and region',
  edition: 'Edition',
  editionLake: 'Lake',
  editionStandard: 'Standard',
  engineVersion: 'Engine version',
  version: 'Boathouse version',
  createdBy: 'Created by',
  createdAt: 'Created',
  endpoint: 'Query endpoint',
  endpointAbsent: 'Not available in this version',
  endpointAbsentText:
    'Connections from other tools are not open here yet. Run queries in the SQL editor meanwhile.',
  endpointTabs: 'Ways to connect',
  mysql: 'MySQL',
  mysqlText: 'Any MySQL command line client; it asks for your password.',
  jdbc: 'JDBC',
  jdbcText: 'Any driver for MySQL, with your password as the second credential.',
  others: 'Other applications',
  othersText: 'Choose MySQL as the kind of database and enter these values.',
  learnMore: 'Learn more',
  guide: {
    'getting-started': 'Getting started',
    'sql-editor': 'The SQL editor',
    'users-and-roles': 'Users and roles',
  },
  guideText: {
    'getting-started': 'From the first sign-in to the first result.',
    'sql-editor': 'Tabs, statements, results and files.',
    'users-and-roles': 'Who may do what, and how to change it.',
  },
  apiDescription: 'HTTP API description',
  apiDescriptionText: 'Every call of this service as an OpenAPI document.',
  firstQuery: 'Your first query',
  firstQueryText: 'Sample tables are ready in the SQL editor.',
}
