/**
 * Who may import whom. A zone is a folder; a file belongs to the longest one that holds it. Packages of the
 * workspace are named by their folder. Anything not listed is refused, so a new room must be drawn here first.
 */
export const ZONES = {
  'packages/contract/src': [],
  'packages/sql/src': [],
  'packages/client/src': ['packages/contract/src'],

  'server/src/kernel': ['packages/contract/src', 'packages/sql/src'],
  'server/src/store': ['server/src/kernel'],
  'server/src/engines': ['packages/sql/src', 'server/src/kernel', 'server/src/results'],
  'server/src/results': ['server/src/kernel', 'server/src/engines/engine.ts'],
  'server/src/compute': ['packages/contract/src', 'server/src/kernel', 'server/src/engines'],
  'server/src/providers': ['packages/contract/src', 'server/src/kernel'],
  'server/src/modules': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/store',
    'server/src/engines/engine.ts',
    'server/src/engines/dialect.ts',
    'server/src/engines/files.ts',
    'server/src/engines/objects.ts',
    'server/src/engines/system-tables.ts',
    'server/src/providers/bucket/bucket.ts',
    'server/src/providers/iceberg/iceberg-catalog.ts',
    'server/src/providers/mail/mailer.ts',
    'server/src/providers/marketplace/marketplace.ts',
    'server/src/providers/payment/local-payments.ts',
    'server/src/providers/payment/payment-provider.ts',
    'server/src/providers/sso/issuer.ts',
    'server/src/results',
  ],
  'server/src/doors': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/modules',
    'server/src/store/schema.ts',
  ],
  'server/src/jobs': ['server/src/kernel', 'server/src/modules'],
  'server/src/testing': ['packages', 'server/src'],
  'server/src': ['packages/contract/src', 'packages/sql/src', 'server/src'],

  'console/src/lib': ['packages/contract/src', 'packages/sql/src', 'packages/client/src'],
  'console/src/ui': ['console/src/i18n'],
  'console/src/i18n': ['packages/contract/src'],
  'console/src/statement': ['packages/sql/src', 'console/src/lib', 'console/src/ui', 'console/src/i18n'],
  'console/src/features': [
    'packages/contract/src',
    'packages/client/src',
    'packages/sql/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
    'console/src/statement',
  ],
  'console/src/app': [
    'packages/contract/src',
    'packages/client/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
    'console/src/features',
  ],
  'console/src/testing': ['packages', 'console/src'],
  'console/src': ['console/src'],

  'cli/src': [
    'packages/contract/src',
    'server/src/config.ts',
    'server/src/extensions-directory.ts',
    'server/src/engines/duckdb/extensions/known-extensions.ts',
    'server/src/engines/duckdb/extensions/wheel.ts',
    'server/src/running-server.ts',
    'server/src/operator-socket.ts',
    'server/src/sealing-keys.ts',
    'server/src/modules/audit/chain-check.ts',
  ],
  e2e: [
    'packages/contract/src',
    'packages/client/src',
    'console/src/i18n/en',
    'server/src/testing/open-issuer.ts',
    'server/src/testing/stripe-server.ts',
  ],
  bench: [
    'packages/contract/src',
    'packages/client/src',
    'packages/sql/src',
    'server/src/engines/duckdb/samples',
    // What the guard alone takes cannot be told from outside.
    'server/src/engines/duckdb/account/account.ts',
    'server/src/engines/engine.ts',
    'server/src/modules/query/analysis/analysed-text.ts',
    'server/src/modules/query/gate/gate.ts',
    // One way to measure in a page, and one to find a browser.
    'e2e/click-to-paint.ts',
    'e2e/find-chromium.ts',
  ],
}

/** Folders whose children must not know one another. */
export const STRANGERS = ['console/src/features']

/** Libraries that stay behind one door. */
export const LIBRARIES = {
  fastify: ['server/src/doors/http'],
  ws: ['packages/client/src/example.ts', 'server/src/doors/realtime', 'server/src/testing', 'e2e', 'bench'],
  'openid-client': ['server/src/providers/sso'],
  nodemailer: ['server/src/providers/mail'],
  pg: ['server/src/store', 'server/src/testing'],
  '@duckdb/node-api': ['server/src/engines', 'bench'],
  yazl: ['server/src/engines/duckdb/reader'],
  yauzl: ['server/src/engines/duckdb/files/sheets'],
  saxes: ['server/src/engines/duckdb/files/sheets'],
  react: ['console/src'],
}

/** Files that hold all of a package, and who must import its parts instead: a page is sent what it imports. */
export const PARTS_ONLY = {
  'packages/contract/src/index.ts': ['console/src', 'packages/client/src'],
  'packages/contract/src/contract.ts': ['console/src', 'packages/client/src'],
}

/**
 * What a module of the server offers to the other modules beside its `service.ts`. Everything else in it, its `store.ts`
 * above all, is its own affair. A store file that is offered takes part in a transaction of somebody else's.
 */
export const OFFERS = {
  access: ['authority.ts', 'creator-grants.ts', 'readers.ts', 'view-owners.ts'],
  attempt: ['brake.ts'],
  audit: ['author.ts', 'newest.ts', 'record.ts', 'verify.ts'],
  budget: ['limits.ts'],
  editor: ['saved-queries-store.ts'],
  firewall: ['gate.ts'],
  mail: ['accepted-address.ts'],
  org: ['life.ts', 'money.ts', 'move-account.ts', 'open-account.ts', 'trials.ts'],
  query: [
    'answers/answer.ts',
    'gate/authority.ts',
    'gate/gate.ts',
    'history/deletion-store.ts',
    'running/ending.ts',
    'sessions/session-tools.ts',
  ],
  storage: ['billed-storage-store.ts', 'prices.ts'],
  samples: ['make-samples.ts', 'saved-queries.ts'],
  schema: ['catalogs.ts', 'database-names.ts', 'looking.ts', 'named-object.ts'],
  user: ['logins.ts', 'password-rule.ts', 'passwords.ts', 'people-store.ts', 'people-with-roles-store.ts'],
  warehouse: ['billed-usage-store.ts', 'first-warehouse-store.ts', 'prices.ts', 'statement-costs.ts'],
}

/** Whose each table is. Only the store files of its owner write to it. */
export const TABLES = {
  accounts: 'modules/org',
  attempts: 'modules/attempt',
  audit_chains: 'modules/audit',
  audit_entries: 'modules/audit',
  billing_periods: 'modules/payment',
  budgets: 'modules/budget',
  card_setups: 'modules/payment',
  catalog_changes: 'modules/schema',
  ccu_entries: 'modules/payment',
  channel_events: 'modules/announcement',
  client_errors: 'modules/log',
  connections: 'modules/query',
  deleted_accounts: 'modules/org',
  discounts: 'modules/payment',
  downloads: 'modules/query',
  editor_folders: 'modules/editor',
  editor_tabs: 'modules/editor',
  engine_users: 'modules/account',
  external_catalogs: 'modules/schema',
  firewall_rules: 'modules/firewall',
  firewall_trials: 'modules/firewall',
  grants: 'modules/access',
  identity_versions: 'modules/user',
  instance_facts: 'modules/first-start',
  internal_catalogs: 'modules/schema',
  invoice_line_hours: 'modules/payment',
  invoice_lines: 'modules/payment',
  invoices: 'modules/payment',
  links: 'modules/link',
  load_rejections: 'modules/load',
  load_tasks: 'modules/load',
  local_payments: 'modules/payment',
  logins: 'modules/user',
  mails: 'modules/mail',
  materialized_views: 'modules/task',
  messages: 'modules/message',
  organisations: 'modules/org',
  payment_cards: 'modules/payment',
  payment_customers: 'modules/payment',
  payment_events: 'modules/payment',
  payment_intents: 'modules/payment',
  replaced_cards: 'modules/payment',
  request_nonces: 'doors/http',
  role_roles: 'modules/access',
  roles: 'modules/access',
  shared_results: 'modules/query',
  sign_ups: 'modules/sign-up',
  sso_requests: 'modules/sso',
  sso_settings: 'modules/sso',
  statement_months: 'modules/query',
  statement_usage: 'modules/warehouse',
  storage_usage: 'modules/storage',
  statements: 'modules/query',
  task_runs: 'modules/task',
  scheduled_tasks: 'modules/task',
  trials: 'modules/org',
  upload_parts: 'modules/load',
  uploads: 'modules/load',
  user_roles: 'modules/user',
  users: 'modules/user',
  view_owners: 'modules/access',
  vpc_endpoints: 'modules/vpce',
  warehouse_activity: 'modules/warehouse',
  warehouse_runs: 'modules/warehouse',
  warehouse_usage: 'modules/warehouse',
  warehouses: 'modules/warehouse',
}

/** Tables of others that a module reads in a query of its own, each with the reason why it does not ask them. */
export const READS = {
  'modules/editor': {
    accounts: 'whether the account was made with samples, in the transaction that adds a user to it',
  },
  'modules/access': {
    identity_versions: 'its row is locked: one change of what an account may do at a time',
    users: 'whoever made an object is locked while it is granted to them; who may read it is told by name',
  },
  'modules/account': {
    accounts: 'it is the page of an account, whose life is the affair of org',
    organisations: 'the same',
  },
  'modules/budget': {
    accounts:
      'a budget is about accounts of one organisation; the row of its owner is locked to count budgets',
    organisations: 'the same',
    user_roles: 'the administrators of an account are told',
    users: 'the same',
    storage_usage: 'what was spent is summed up in the query that finds the budget',
    warehouse_usage: 'the same',
    warehouses: 'a budget of a warehouse is told with its name',
  },
  'modules/org': { users: 'the administrators of an organisation, found through its root account' },
  'modules/payment': {
    accounts: 'an invoice is about all accounts of an organisation, and a card resumes them',
    organisations: 'the same; its row is locked while a month is closed',
    trials: 'what was used in the trial is free',
  },
  'modules/query': {
    accounts: 'whether it is open, before its files are handed out; its row is locked to count connections',
    identity_versions:
      'comes back with the insert that accepts a statement, so that nobody asks for it apart',
    warehouses: 'sessions and statements hold its id, and are told with the name that it has now',
    user_roles: 'who fetches a download has no login, so that their roles are looked up',
  },
  'modules/schema': { accounts: 'its edition says whether it can have further catalogs of its own' },
  'modules/sign-up': {
    accounts: 'an address that has opened accounts is told so, and how far a new one is',
    users: 'the same',
  },
  'modules/storage': { accounts: 'edition and region make the price' },
  'modules/usage': {
    accounts: 'usage is told of all accounts of an organisation at once',
    organisations: 'the same',
    statement_usage: 'it is summed up in the database, by user and statement',
    storage_usage: 'days of it are listed beside those of warehouses, page by page',
    statements: 'who ran what is told with what it cost',
    trials: 'the credit of a trial is held against what was used since it began',
    warehouse_runs: 'a warehouse that is gone has its name there',
    warehouse_usage: 'it is summed up in the database, by day, warehouse and account',
  },
  'modules/user': {
    accounts: 'who somebody is and what they may do is one row, read with every call',
    organisations: 'the same',
    role_roles: 'the same',
  },
  'modules/vpce': { accounts: 'its endpoints are in its region; its row is locked to count them' },
  'modules/warehouse': {
    accounts: 'edition and region make the price; its row is locked to count warehouses',
  },
}
